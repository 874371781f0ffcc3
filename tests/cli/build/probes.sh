#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a configure script asks of a compiler: whether it takes an option. skein-cc gives clang's status and clang's words, whatever the
# command does with its sources and however many commands skein-cc makes of it.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit
echo 'int other(int); int main(int c, char **v) { (void)v; return other(c) - other(c); }' >main.c
echo 'int other(int x) { int unused; return x; }' >other.c
mkdir objects && clang-19 -w -c main.c -o objects/main.o && clang-19 -w -c other.c -o objects/other.o
mkdir clang-19 skein-cc

# said COMPILER WORD…: status and words of a command whose outputs go to a folder of the compiler's own; names that each invents are one name
said() {
	local compiler=$1 status
	shift
	"$compiler" "${@//FOLDER/$compiler}" >said 2>&1 </dev/null
	status=$?
	sed -E "s/\b$compiler\//FOLDER\//g; s,/tmp/(main|other)-[0-9a-f]+\.o|\.skein/objects/(main|other)\.c-[0-9a-f]+\.o,OBJECT,g" said
	echo "status $status"
}

probe() { # WORD…
	said clang-19 "$@" >one
	said skein-cc "$@" >two
	if cmp -s one two; then ok "$*"; else not_ok "$*" "$(diff one two | head -n 6)"; fi
}

forms=('-c main.c -o FOLDER/one.o' '-c main.c other.c' 'main.c other.c -o FOLDER/whole' 'main.c objects/other.o -o FOLDER/half' 'objects/main.o objects/other.o -o FOLDER/linked'
	'-fsyntax-only main.c' '-E main.c -o FOLDER/main.i')
options=(
	# gcc's warnings, which clang warns of
	-Wduplicated-cond -Wno-duplicated-cond -Wlogical-op -Wno-maybe-uninitialized -Werror=restrict -Wno-error=restrict -Wstringop-overflow=4
	# gcc's options, which clang refuses
	-fipa-pta -fno-tree-sra -fvect-cost-model=cheap -flto-partition=none -mindirect-branch=thunk -mfunction-return=thunk -fno-such-option
	# gcc's options, which clang ignores, with a warning or without
	-finline-limit=30 -fno-strength-reduce -fexcess-precision=standard -fno-ident -fgcse -fmerge-constants
	# options that only some parts of a command have a use for
	-static-libstdc++ -pie -rdynamic -lm '-Wl,-z,now' -fprofile-dir=x --assert=x
	# both have them
	-Wall -Wunused-variable '-Wall -Wduplicated-cond -finline-limit=30'
)
for option in "${options[@]}"; do
	for form in "${forms[@]}"; do
		probe -Werror $option $form
		case $option in -Wdup* | -fipa* | -finline* | -static-libstdc++ | -Wall*) probe $option $form ;; esac
	done
done
probe -Werror -c main.c absent.c
probe main.c absent.c -o FOLDER/absent
probe
probe -Wduplicated-cond

# What is compiled already in part has no use for options that skein-cc adds.
clang-19 -E main.c -o main.i && clang-19 -S -emit-llvm main.c -o main.ll && clang-19 -c -emit-llvm main.c -o main.bc && clang-19 -S main.c -o main.s
cp main.s upper.S
for source in main.i main.ll main.bc main.s upper.S; do
	for form in "-c $source -o FOLDER/part.o" "-S $source -o FOLDER/part.s" "$source objects/other.o -o FOLDER/parts" "-c $source other.c" "-fsyntax-only $source"; do
		probe -Werror $form
	done
done

# A value is not a source, whichever way the option is spelt.
for words in '--define-macro X=1' '--undefine-macro X' '--include-directory main.c' '--imacros other.c' '--include other.c' '--std c11' '-isystem-after main.c' \
	'--library-directory main.c' '--for-linker --no-undefined' '-fdebug-compilation-dir main.c'; do
	probe $words -c main.c -o FOLDER/value.o
	probe $words main.c objects/other.o -o FOLDER/valued
done
