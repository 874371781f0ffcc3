# SPDX-License-Identifier: MIT
# Skein: plain GNU make, one file. `make help` lists what can be asked for.
#
# Five kinds of code, five ways to compile it:
#   tool   what runs as skein and skein-cc       $(CC), warnings are errors, SANITIZE= may be given
#   rt     what is loaded into a subject         $(CC) -fPIC, never sanitised
#   hooks  bitcode that is inlined into a subject clang-19 -flto
#   pass   the plugin that lld loads             $(CC) and $(CXX) against LLVM 19
#   vg     the Valgrind tool, a program without libc  $(CC) against Debian's valgrind

MAKEFLAGS += --no-builtin-rules --no-print-directory
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif
V        ?=
Q        := $(if $(V),,@)
say      = $(if $(V),,@printf '  %-5s %s\n' $(1) $(2))
.DELETE_ON_ERROR:
.SUFFIXES:

VERSION  := $(file <VERSION)
PREFIX   ?= /usr/local
CC       := $(if $(filter default,$(origin CC)),cc,$(CC))
CXX      := $(if $(filter default,$(origin CXX)),c++,$(CXX))
LLVM     ?= /usr/lib/llvm-19
VALGRIND ?= /usr
SANITIZE ?=
BUILD    ?= build
B        := $(BUILD)$(if $(SANITIZE),/sanitized)
empty    :=
comma    := ,

WARN     := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wundef -Wvla
BASE     := -std=c11 -O2 -g -D_GNU_SOURCE -Isrc -Iinclude $(WARN) -MMD -MP
SAN      := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
TOOL_CF  := $(BASE) $(SAN) -DSKEIN_VERSION='"$(VERSION)"' -DSKEIN_LIBOMP='"$(LLVM)/lib/libomp.so.5"'
# Words that were stored one by one must not be loaded as a pair, which a processor cannot forward.
NO_PAIRS := -fno-tree-slp-vectorize
RT_CF    := $(BASE) -idirafter $(LLVM)/lib/clang/19/include -fPIC -fvisibility=hidden -fno-semantic-interposition -ftls-model=initial-exec -fno-stack-protector $(NO_PAIRS)
# What calls a function of its own means that one, though a subject may define one of the same name.
RT_LD    := -Wl,-z,defs -Wl,-z,now -Wl,-Bsymbolic-functions
CORE_CF  := $(BASE) -ffreestanding -fPIC $(NO_PAIRS)
PASS_CF  := $(filter-out -Wmissing-prototypes,$(BASE)) -fPIC -isystem $(LLVM)/include
HOOK_CF  := -std=c11 -O2 -mno-implicit-float -D_GNU_SOURCE -Isrc -Iinclude -Wall -Wextra -Werror -fPIC -flto=full -fvisibility=hidden -ftls-model=initial-exec -MMD -MP
# Valgrind loads itself where the subject is not, and brings what it needs of a C library.
VG_CF    := -std=gnu11 -O2 -g -Isrc -Iinclude $(WARN) -MMD -MP -isystem $(VALGRIND)/include/valgrind -DVGA_amd64=1 -DVGO_linux=1 -DVGP_amd64_linux=1 -DVGPV_amd64_linux_vanilla=1 \
            -DINPUT_CELLS_LOG2=12 -DINPUT_FRONT_LOG2=10 -ffreestanding -fno-builtin -fno-stack-protector -fno-pie -fno-pic -fcf-protection=none -fno-strict-aliasing -fomit-frame-pointer
VG_LD    := -static -nodefaultlibs -nostartfiles -u _start -Wl,--build-id=none -Wl,-Ttext-segment=0x58000000 -Wl,-z,noexecstack
VG_LIB   := $(VALGRIND)/lib/x86_64-linux-gnu/valgrind
# The trace format of HPC tools, where its library is.
OTF2     := $(wildcard /usr/include/otf2/otf2.h)
TOOL_CF  += $(if $(OTF2),-DSKEIN_OTF2)
TOOL_LIBS := $(if $(OTF2),-Wl$(comma)--as-needed -lotf2) -lsqlite3 -ldw -lelf -llzma -lcapstone -lz -lm -lstdc++

obj      = $(patsubst src/%.c,$(B)/obj/$(1)/%.o,$(2))
# sources FOLDER…: the C files of these folders of src and of the folders in them; none is a mistake
one_folder = $(or $(wildcard src/$(1)/*.c src/$(1)/*/*.c src/$(1)/*/*/*.c),$(error no source in src/$(1)))
sources  = $(foreach folder,$(1),$(call one_folder,$(folder)))
CORE_SRC := $(call sources,core)
RAW_READ := src/raw/reader.c
RAW_WRITE := $(addprefix src/raw/,writer.c mapping.c addresses.c filter.c)
MAINS    := src/cli/main.c src/build/main.c
# The unwinder, but for what reads the process that it is in: skein walks over stacks of others.
APART_SRC := $(filter-out $(addprefix src/unwind/,modules.c memory.c read.c stack.c),$(call sources,unwind))
TOOL_SRC := $(filter-out $(MAINS),$(call sources,base options build analyse store relink report run cli)) $(RAW_READ) $(APART_SRC)
THREADS_SRC := $(filter-out src/threads/static.c,$(call sources,threads))
HOOK_SRC := $(or $(wildcard src/rt/*/hooks.c),$(error no hooks in src/rt))
IN_RT    := $(filter-out $(HOOK_SRC),$(call sources,modules rt))
RT_SRC   := $(THREADS_SRC) $(IN_RT) $(RAW_WRITE)
SAMPLE_SRC := $(call sources,sample unwind) $(THREADS_SRC) $(RAW_WRITE)
# The runtime of programs that are re-linked for it, too.
TRACE_SRC := $(call sources,trace unwind) src/rt/objects.c $(THREADS_SRC) $(RAW_WRITE)

TOOL_OBJ := $(call obj,tool,$(CORE_SRC) $(TOOL_SRC))
CILK_OBJ := $(B)/lib/skein/cilk.o
OWN_OBJ  := $(call obj,own,src/raw/own.c)
RT_OBJ   := $(call obj,rt,$(RT_SRC)) $(call obj,core,$(CORE_SRC)) $(OWN_OBJ)
SAMPLE_OBJ := $(call obj,rt,$(SAMPLE_SRC)) $(call obj,core,$(CORE_SRC)) $(OWN_OBJ)
TRACE_OBJ := $(call obj,rt,$(TRACE_SRC)) $(call obj,core,$(CORE_SRC)) $(OWN_OBJ)
PASS_OBJ := $(call obj,pass,$(call sources,pass)) $(B)/obj/pass/pass/shim.o $(call obj,core,src/core/graph.c $(call sources,core/paths))
# Preloaded beside them into programs that use MPI.
MPI_OBJ  := $(call obj,rt,$(call sources,mpi)) $(OWN_OBJ)
VG_OBJ   := $(call obj,vg,$(call sources,valgrind) $(filter-out src/core/input/concurrent%,$(call sources,core/input)))
VG_TOOL  := $(addprefix $(B)/lib/skein/valgrind/,skein-amd64-linux vgpreload_core-amd64-linux.so)
HEADERS  := $(patsubst include/%,$(B)/lib/skein/include/%,$(wildcard include/cilk/*.h))
PAGE     := $(B)/lib/skein/view.html
HOOKS    := $(patsubst src/rt/%/hooks.c,$(B)/lib/skein/hooks-%.o,$(HOOK_SRC))

PROGRAMS := $(addprefix $(B)/bin/,skein skein-cc skein-c++ skein-llvm-ar skein-llvm-ranlib)
STATIC_OBJ := $(call obj,rt,$(addprefix src/threads/,arena.c lanes.c session.c threads.c waits.c self.c static.c) $(IN_RT) $(RAW_WRITE)) $(call obj,core,$(CORE_SRC)) $(OWN_OBJ)
LIBS     := $(B)/lib/skein/libskein-rt.so $(B)/lib/skein/libskein-sample.so $(B)/lib/skein/libskein-trace.so $(B)/lib/skein/libskein-mpi.so $(B)/lib/skein/skein-rt-static.o $(B)/lib/skein/libskein-pass.so $(HOOKS) $(CILK_OBJ) $(VG_TOOL)

all: $(B)/.packages $(PROGRAMS) $(LIBS) $(HEADERS) $(PAGE) $(B)/.core-is-freestanding $(B)/.doors-are-known

help:
	@sed -n 's/^## //p' Makefile

## make all         build into build/bin and build/lib (V=1 shows the commands, CC= and CXX= name the compilers)
## make everything  the same, and the unit tests
## make check       set up, build, run every test suite; SANITIZE=address,undefined for all that is not loaded into a subject
## make unit        build and run the unit tests only
## make fuzz        give readers of files hostile input with clang's libFuzzer, SECONDS=60 for each target (TARGETS= names some)
## make check-cluster  start ranks by Open MPI, MPICH and a Slurm on this machine
## make check-ssh   start copies by a real sshd
## make lint        formatting, clang-tidy, shellcheck, spelling: print what is wrong
## make format      format the C files as .clang-format says
## make pictures    draw the pictures of doc/ again from their sources
## make screenshots make the pictures of the page of skein view again
## make demo        set up, build, profile an example with every lens, print what was found
## make bench       measure cost and accuracy against peers
## make storm       kill programs that are recorded: LENS=all N=1000 SEED=1
## make refuse      let each system call of the runtime fail: LENS=all
## make install     install into DESTDIR=, PREFIX=/usr/local
## make uninstall   remove what make install put there
## make dist        archive of what is committed: build/skein-VERSION.tar.xz
## make deb         package for the Debian release of this machine
## make clean       remove build/
## make help        this list

# Packages come before anything is made; tools/setup renews the stamp when nothing is missing.
$(B)/.packages: tools/packages tools/setup
	@mkdir -p $(@D)
	@tools/setup --stamp $@ build

define tool_rule
$(B)/obj/$(1)/%.o: src/%.c | $(B)/.packages
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(Q)$(3) $(2) -c -o $$@ $$<
endef
$(eval $(call tool_rule,tool,$(TOOL_CF),$(CC)))
$(B)/obj/tool/store/schema.o: src/store/schema.sql
$(addprefix $(B)/obj/tool/,cli/help.o cli/cmd_help.o store/save.o store/parts.o): VERSION
$(eval $(call tool_rule,rt,$(RT_CF),$(CC)))
$(eval $(call tool_rule,own,$(RT_CF) -fno-builtin,$(CC)))
$(eval $(call tool_rule,core,$(CORE_CF) -fvisibility=hidden,$(CC)))
$(eval $(call tool_rule,pass,$(PASS_CF),$(CC)))
$(eval $(call tool_rule,vg,$(VG_CF),$(CC)))

$(B)/obj/pass/pass/shim.o: src/pass/shim.cpp | $(B)/.packages
	@mkdir -p $(@D)
	$(call say,CXX,$@)
	$(Q)$(CXX) -std=c++17 -O2 -g -Wall -Wextra -Werror -fno-rtti -fno-exceptions -fPIC -Isrc -isystem $(LLVM)/include -MMD -MP -c -o $@ $<

$(B)/lib/skein/hooks-%.o: src/rt/%/hooks.c | $(B)/.packages
	@mkdir -p $(@D)
	$(call say,HOOK,$@)
	$(Q)clang-19 $(HOOK_CF) -MF $(@:.o=.d) -c -o $@ $<

# With unwind tables and lines: exceptions pass through it, and its lines say that it is overhead.
$(CILK_OBJ): src/cilk/cilk.c | $(B)/.packages
	@mkdir -p $(@D)
	$(call say,CILK,$@)
	$(Q)clang-19 $(HOOK_CF) -fexceptions -gline-tables-only -gdwarf-4 -MF $(@:.o=.d) -c -o $@ $<

$(B)/lib/skein/libskein-rt.so: $(RT_OBJ)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) -shared -Wl,-soname,libskein-rt.so $(RT_LD) -o $@ $(RT_OBJ) -ldl -lpthread

$(B)/lib/skein/libskein-sample.so: $(SAMPLE_OBJ)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) -shared -Wl,-soname,libskein-sample.so $(RT_LD) -Wl,-z,initfirst -o $@ $(SAMPLE_OBJ) -ldl -lpthread

$(B)/lib/skein/libskein-trace.so: $(TRACE_OBJ)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) -shared -Wl,-soname,libskein-trace.so $(RT_LD) -Wl,-z,initfirst -o $@ $(TRACE_OBJ) -ldl -lpthread

# What it asks of the lens's library is not there in a program that is not recorded.
$(B)/lib/skein/libskein-mpi.so: $(MPI_OBJ)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) -shared -Wl,-soname,libskein-mpi.so $(RT_LD) -o $@ $(MPI_OBJ) -ldl

# The sampler and the recorder of waits without what interposes or starts by itself, for unit tests.
SAMPLE_PARTS := $(filter-out %/start.c src/trace/doors.c src/sample/interpose% src/threads/interpose%,$(call sources,trace) $(SAMPLE_SRC))
$(B)/lib/libskein-sample-parts.a: $(call obj,rt,$(SAMPLE_PARTS)) $(call obj,core,$(CORE_SRC))
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR,$@)
	$(Q)ar qcs $@ $^

$(B)/lib/skein/valgrind/skein-amd64-linux: $(VG_OBJ)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(VG_LD) -o $@ $(VG_OBJ) $(VG_LIB)/libcoregrind-amd64-linux.a $(VG_LIB)/libvex-amd64-linux.a -lgcc $(VG_LIB)/libgcc-sup-amd64-linux.a

# Valgrind looks for it beside the tool. The original is no prerequisite: it is there only after the packages.
$(B)/lib/skein/valgrind/vgpreload_%: | $(B)/.packages
	@mkdir -p $(@D)
	$(call say,LN,$@)
	@test -e $(VALGRIND)/libexec/valgrind/$(@F) || { echo "$(VALGRIND)/libexec/valgrind/$(@F) is missing; VALGRIND= names the prefix of an installed Valgrind" >&2; exit 1; }
	$(Q)ln -sf $(VALGRIND)/libexec/valgrind/$(@F) $@

# In a folder of their own, which skein-cc can put before the user's without hiding any other header of his.
$(B)/lib/skein/include/%.h: include/%.h | $(B)/.packages
	@mkdir -p $(@D)
	$(call say,CP,$@)
	$(Q)cp $< $@

# The template of `skein view` is committed as web/build.mjs makes it: nobody needs node to build Skein.
$(PAGE): web/view.html | $(B)/.packages
	@mkdir -p $(@D)
	$(call say,CP,$@)
	$(Q)cp $< $@

# For programs without a dynamic loader: one object, since from an archive what nobody asks for would be dropped.
$(B)/lib/skein/skein-rt-static.o: $(STATIC_OBJ)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)ld -r -o $@ $(STATIC_OBJ)
	$(Q)objcopy --localize-hidden $@
	$(Q)objcopy --rename-section .text=skein_runtime $@

$(B)/lib/skein/libskein-pass.so: $(PASS_OBJ)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CXX) -shared -Wl,--unresolved-symbols=ignore-all -o $@ $(PASS_OBJ)

$(B)/lib/libskein-tool.a: $(TOOL_OBJ)
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR,$@)
	$(Q)ar qcs $@ $(TOOL_OBJ)

$(B)/bin/skein: $(B)/obj/tool/cli/main.o $(B)/lib/libskein-tool.a
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(SAN) -o $@ $^ $(TOOL_LIBS)

$(B)/bin/skein-cc: $(B)/obj/tool/build/main.o $(B)/lib/libskein-tool.a
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(SAN) -o $@ $^ $(TOOL_LIBS)

$(B)/bin/skein-c++ $(B)/bin/skein-llvm-ar $(B)/bin/skein-llvm-ranlib: $(B)/bin/skein-cc
	$(call say,LN,$@)
	$(Q)ln -sf skein-cc $@

# What the core may ask of others: memory functions that a compiler emits, and nothing else.
$(B)/.core-is-freestanding: $(call obj,core,$(CORE_SRC))
	@ld -r -o $@.o $^
	@! nm -u $@.o | awk 'NF==2{print $$2}' | grep -vxE 'memcpy|memmove|memset|memcmp|_GLOBAL_OFFSET_TABLE_' || { echo "src/core uses symbols that it does not define" >&2; exit 1; }
	@touch $@

# What runs in a subject calls nothing that the subject can define, but for a list of names, each with its reason.
IN_SUBJECT := $(addprefix $(B)/lib/skein/,libskein-rt.so libskein-sample.so libskein-trace.so libskein-mpi.so skein-rt-static.o)
$(B)/.doors-are-known: src/threads/doors.tsv tools/doors $(IN_SUBJECT)
	@tools/doors src/threads/doors.tsv $(IN_SUBJECT)
	@touch $@

# A test FOLDER/test_NAME of a module lies in tests/unit/FOLDER and becomes build/tests/FOLDER/test_NAME.
UNIT     := $(patsubst tests/unit/%.c,$(B)/tests/%,$(or $(wildcard tests/unit/*/test_*.c),$(error no test in tests/unit)))
UNIT_LD   = $(Q)$(CC) $(TOOL_CF) -Itests -MF $@.d -o $@ $< $(B)/lib/libskein-tool.a -lcmocka -lpthread $(TOOL_LIBS)
$(B)/tests/%: tests/unit/%.c $(B)/lib/libskein-tool.a
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(UNIT_LD)

$(filter $(addprefix $(B)/tests/,sample/% trace/% unwind/%),$(UNIT)): $(B)/tests/%: tests/unit/%.c $(B)/lib/libskein-sample-parts.a
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(BASE) -Itests -MF $@.d -o $@ $< $(B)/lib/libskein-sample-parts.a -lcmocka -lpthread -ldl

# What a suite of the paths lens and its bench need; it finds Skein's libraries from where it lies.
$(B)/tests/paths_try: tests/prog/paths/try.c $(B)/lib/libskein-tool.a
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(UNIT_LD)

# Each tests/fuzz/NAME.c is a target of `make fuzz`; linked with replay.c, it replays files: build/tests/fuzz/NAME FILE…
FUZZ     := $(filter-out replay,$(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c)))
REPLAYS  := $(addprefix $(B)/tests/fuzz/,$(FUZZ))
FUZZERS  := $(addprefix $(B)/fuzz/bin/,$(FUZZ))
# Without inlining every function has edges of its own. Clang counts NULL + 0 as an overflow of a pointer; later standards of C allow it.
FUZZ_SAN := -O1 -fno-inline -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=pointer-overflow -fno-sanitize-recover=undefined -fno-omit-frame-pointer
FUZZ_LD   = $(Q)clang-19 $(filter-out -MMD -MP,$(TOOL_CF)) $(FUZZ_SAN) -fsanitize=fuzzer -Itests -o $@ $< $(filter %.a,$^) -lpthread
$(eval $(call tool_rule,fuzz,$(TOOL_CF) $(FUZZ_SAN),clang-19))
$(eval $(call tool_rule,fuzz-rt,$(RT_CF) $(FUZZ_SAN),clang-19))
$(B)/obj/fuzz/store/schema.o: src/store/schema.sql

$(B)/lib/libskein-fuzz.a: $(call obj,fuzz,$(CORE_SRC) $(TOOL_SRC))
	@rm -f $@
	$(call say,AR,$@)
	$(Q)ar qcs $@ $^

$(B)/lib/libskein-fuzz-sample.a: $(call obj,fuzz-rt,$(SAMPLE_PARTS) $(CORE_SRC))
	@rm -f $@
	$(call say,AR,$@)
	$(Q)ar qcs $@ $^

$(B)/fuzz/bin/unwind: tests/fuzz/unwind.c tests/fuzz/fuzz.h $(B)/lib/libskein-fuzz-sample.a
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(FUZZ_LD)

$(B)/fuzz/bin/%: tests/fuzz/%.c tests/fuzz/fuzz.h $(B)/lib/libskein-fuzz.a
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(FUZZ_LD) $(TOOL_LIBS)

$(B)/tests/fuzz/unwind: tests/fuzz/unwind.c tests/fuzz/replay.c tests/fuzz/fuzz.h $(B)/lib/libskein-sample-parts.a
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(filter-out -MMD -MP,$(BASE)) -Itests -o $@ $(filter %.c %.a,$^) -lpthread

$(B)/tests/fuzz/%: tests/fuzz/%.c tests/fuzz/replay.c tests/fuzz/fuzz.h $(B)/lib/libskein-tool.a
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(filter-out -MMD -MP,$(TOOL_CF)) -Itests -o $@ $(filter %.c %.a,$^) -lpthread $(TOOL_LIBS)

$(B)/.check-packages: tools/packages tools/setup
	@mkdir -p $(@D)
	@tools/setup --stamp $@ build check

# How each C file is compiled, for clang-tidy and for editors.
compiled = $(foreach file,$(2),$(file >>$@,{"directory": "$(CURDIR)"$(comma) "file": "$(file)"$(comma) "command": "$(subst ",\",$(1) -c $(file))"}$(comma)))
$(B)/compile_commands.json: FORCE | $(B)/.packages
	$(file >$@,[)
	$(call compiled,cc $(TOOL_CF),$(TOOL_SRC) $(MAINS))
	$(call compiled,cc $(TOOL_CF) -Itests,$(wildcard tests/unit/*/*.c))
	$(call compiled,cc $(CORE_CF),$(CORE_SRC))
	$(call compiled,cc $(RT_CF),$(sort $(RT_SRC) $(SAMPLE_SRC) $(TRACE_SRC) $(call sources,mpi) src/threads/static.c))
	$(call compiled,cc $(RT_CF) -fno-builtin,src/raw/own.c)
	$(call compiled,cc $(HOOK_CF),$(HOOK_SRC) src/cilk/cilk.c)
	$(call compiled,cc $(PASS_CF),$(call sources,pass))
	$(call compiled,cc $(VG_CF),$(call sources,valgrind))
	@sed -i '$$s/,$$/]/' $@

check: $(B)/.check-packages
	@$(MAKE) everything $(B)/compile_commands.json
	@tests/run $(B)

format: $(B)/.check-packages
	@tools/lint $(B) reformat

lint: $(B)/.check-packages
	@$(MAKE) $(B)/compile_commands.json
	@tools/lint $(B)

everything: all $(UNIT) $(REPLAYS) $(B)/tests/paths_try

unit: $(B)/.check-packages
	@$(MAKE) $(UNIT)
	@tests/run $(B) '^unit/'

SECONDS  ?= 60
TARGETS  ?= $(FUZZ)
fuzz: $(B)/.check-packages
	@$(MAKE) all $(FUZZERS)
	@tools/fuzz $(B) $(SECONDS) $(TARGETS)

# The pictures are committed: who reads the documents needs no Graphviz.
PICTURES := $(patsubst %.dot,%.svg,$(wildcard doc/pictures/*.dot))
pictures: $(B)/.check-packages
	@tools/include-graph >doc/pictures/includes.dot
	@$(MAKE) -B $(PICTURES)

doc/pictures/%.svg: doc/pictures/%.dot
	$(call say,DOT,$@)
	$(Q)dot -Tsvg -o $@ $<

# Those of the page of skein view, by chromium; they are committed, too.
screenshots: all
	@tools/setup build check screenshots
	@tools/screenshots $(B)

check-cluster: all
	@tools/setup build check cluster
	@tests/apart/cluster.sh $(B)

check-ssh: all
	@tests/apart/ssh.sh $(B)

demo: all
	@examples/demo $(B)

bench: all
	@tools/setup build check bench
	@bench/run $(B)

LENS = all
N = 1000
SEED = 1
storm: all
	@PAGE=doc/campaign.md tools/storm $(B) $(LENS) $(N) $(SEED)

refuse: all
	@PAGE=doc/campaign.md tools/refuse $(B) $(LENS)

install: all
	@tools/install $(B) "$(DESTDIR)" "$(PREFIX)"

uninstall:
	@tools/uninstall "$(DESTDIR)" "$(PREFIX)"

dist:
	@mkdir -p $(B)
	@tools/dist $(B)

deb: all
	@tools/setup deb
	@tools/deb $(B)

clean:
	rm -rf build

.PHONY: all everything help check unit fuzz check-cluster check-ssh lint format pictures screenshots demo bench storm refuse install uninstall dist deb clean FORCE
-include $(shell find $(B)/obj $(B)/lib $(B)/tests -maxdepth 5 -type f -name '*.d' 2>/dev/null)
