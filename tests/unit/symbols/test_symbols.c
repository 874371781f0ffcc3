/* SPDX-License-Identifier: MIT */
/* symbols: small programs are compiled with both compilers and both versions of DWARF; LLVM's symbolizer and binutils say what is right. */
#include "unit/symbols/programs.h"

static void compare(struct symbols *s, FILE *said, uint64_t address)
{
	const struct symbols_place *p = symbols_at(s, address, false);
	const char *file = p->file;
	unsigned line = p->line;
	for (size_t i = p->count; i-- > 0;) {
		char name[256], place[512], expect[512];
		if (p->scopes[i].kind == SYMBOLS_LOOP)
			continue;
		assert_non_null(fgets(name, sizeof name, said));
		assert_non_null(fgets(place, sizeof place, said));
		name[strcspn(name, "\n")] = 0;
		place[strcspn(place, " \n")] = 0;
		if (strcmp(p->scopes[i].name, name) != 0)
			fail_msg("0x%llx: %s is %s", (unsigned long long)address, p->scopes[i].name, name);
		const char *base = strrchr(place, '/');
		snprintf(expect, sizeof expect, "%s:%u", file, line);
		if (!strstr(place, ":0") && !strstr(place, ":?")) /* there we take the line before */
			assert_string_equal(expect, base ? base + 1 : place);
		file = p->scopes[i].call_file;
		line = p->scopes[i].call_line;
	}
}

static void says_what_the_symbolizer_says(const char *program, const char *routine)
{
	char command[512], line[64];
	uint64_t size, address = symbol(routine, program, &size);
	struct symbols *s = open_here(program, "");
	assert_true(symbols_have_lines(s) && symbols_are_there(s));
	snprintf(command, sizeof command,
	         "cd %s && seq %llu %llu | xargs printf '0x%%x\\n' | llvm-symbolizer-19 --output-style=GNU -a -f -i -e %s", folder,
	         (unsigned long long)address, (unsigned long long)(address + size - 1), program);
	FILE *said = popen(command, "r");
	for (uint64_t i = 0; i < size; i++) {
		assert_non_null(fgets(line, sizeof line, said));
		assert_int_equal(strtoull(line, NULL, 16), address + i);
		compare(s, said, address + i);
	}
	assert_null(fgets(line, sizeof line, said));
	pclose(said);
	symbols_close(s);
}

static void routines_inlined_and_lines_are_as_another_symbolizer_has_them(void **state)
{
	(void)state;
	write_file("p.c", source);
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		shell("%s -o p p.c", ways[i]);
		says_what_the_symbolizer_says("p", "outer");
		says_what_the_symbolizer_says("p", "main");
	}
}

/* The scope of a kind and name at an address, or NULL. */
static const struct symbols_scope *scope_named(const struct symbols_place *p, const char *name)
{
	for (size_t i = 0; i < p->count; i++)
		if (strcmp(p->scopes[i].name, name) == 0)
			return &p->scopes[i];
	return NULL;
}

/* The first address of a routine where a scope of that name is. */
static const struct symbols_place *first_in(struct symbols *s, uint64_t from, uint64_t size, const char *name)
{
	for (uint64_t a = from; a < from + size; a++)
		if (scope_named(symbols_at(s, a, false), name))
			return symbols_at(s, a, false);
	fail_msg("nothing called %s", name);
	return NULL;
}

static void an_inlined_routine_knows_where_it_is_called_and_declared(void **state)
{
	uint64_t size, outer;
	(void)state;
	write_file("p.c", source);
	for (size_t i = 0; i < 4; i++) {
		shell("%s -o p p.c", ways[i]);
		outer = symbol("outer", "p", &size);
		struct symbols *s = open_here("p", "");
		const struct symbols_place *p = first_in(s, outer, size, "leaf");
		const struct symbols_scope *leaf = scope_named(p, "leaf"), *middle = scope_named(p, "middle");
		assert_non_null(middle);
		assert_true(middle < leaf);
		assert_int_equal(leaf->kind, SYMBOLS_INLINED);
		assert_int_equal(leaf->line, 4);
		assert_int_equal(leaf->call_line, 8);
		assert_int_equal(middle->line, 5);
		assert_int_equal(middle->call_line, 14);
		assert_string_equal(leaf->file, "p.c");
		assert_string_equal(leaf->call_file, "p.c");
		assert_string_equal(p->scopes[0].name, "outer");
		assert_int_equal(p->scopes[0].line, 11);
		assert_int_equal(p->scopes[0].address, outer);
		assert_ptr_equal(symbols_at(s, outer + 1, true), symbols_at(s, outer, false));
		symbols_close(s);
	}
}

/* ---- what is left without DWARF ---- */

static void check_outer(const char *program, const char *build_id, uint64_t address, const char *name, bool lines)
{
	struct symbols *s = open_here(program, build_id);
	const struct symbols_place *p = symbols_at(s, address + 4, false);
	assert_true(symbols_are_there(s));
	assert_int_equal(symbols_have_lines(s), lines);
	assert_string_equal(p->scopes[0].name, name);
	assert_int_equal(p->scopes[0].address, address);
	assert_int_equal(lines, p->line > 0);
	symbols_close(s);
}

static void names_are_found_in_separate_files_and_symbol_tables(void **state)
{
	char id[200], place[100];
	(void)state;
	write_file("p.c", source);
	shell("gcc -O2 -g -Wl,--build-id -o p p.c");
	uint64_t outer = symbol("outer", "p", NULL);
	snprintf(place, sizeof place, "(q)+0x%llx", (unsigned long long)outer);
	ask(id, sizeof id, "readelf -n p | awk '/Build ID/ {print $3}'");
	check_outer("p", id, outer, "outer", true);
	shell("strip -o q p");
	check_outer("q", id, outer, place, false); /* the unwind table still knows where it begins */
	shell("strip -g -o q p");
	check_outer("q", id, outer, "outer", false);
	shell("mkdir -p .debug && objcopy --only-keep-debug p .debug/q.debug && strip -o q p && objcopy --add-gnu-debuglink=.debug/q.debug q");
	check_outer("q", id, outer, "outer", true);
	shell("mv .debug/q.debug . ");
	check_outer("q", id, outer, "outer", true);
	shell("gcc -O2 -g -DX=1 -Wl,--build-id=0x1234567890 -o other p.c && objcopy --only-keep-debug other q.debug");
	check_outer("q", id, outer, place, false); /* a debug file of another build */
	shell("rm q.debug; gcc -O2 -g -Wl,--build-id=none -o p p.c && objcopy --only-keep-debug p q.debug && strip -o q p && objcopy --add-gnu-debuglink=q.debug q");
	outer = symbol("outer", "p", NULL);
	snprintf(place, sizeof place, "(q)+0x%llx", (unsigned long long)outer);
	check_outer("q", "", outer, "outer", true); /* by its checksum alone */
	shell("echo >>q.debug");
	check_outer("q", "", outer, place, false);
	shell("nm p >/dev/null && objcopy -S --keep-symbol=outer p mini && rm -f mini.xz && xz mini && strip -o q p && objcopy --add-section .gnu_debugdata=mini.xz q && rm -f q.debug");
	check_outer("q", "", outer, "outer", false);
	shell("gcc -O2 -shared -fPIC -s -o q p.c && nm -D q >/dev/null");
	ask(id, sizeof id, "nm -D q | awk '$3 == \"outer\" {print $1}'");
	check_outer("q", "", strtoull(id, NULL, 16), "outer", false);
}

static void a_file_that_is_gone_or_another_build_has_no_names(void **state)
{
	(void)state;
	write_file("p.c", source);
	shell("gcc -O2 -g -o p p.c");
	struct symbols *files[] = {open_here("gone", ""), open_here("p", "1234"), open_here("p.c", ""), open_here(".", ""),
	                           symbols_open("", "")};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		const struct symbols_place *p = symbols_at(files[i], 0x1234, false);
		assert_false(symbols_are_there(files[i]) || symbols_have_lines(files[i]));
		assert_int_equal(p->count, 1);
		assert_true(p->line == 0 && !*p->file && !p->overhead);
		assert_string_equal(strchr(p->scopes[0].name, ')'), ")+0x1234");
	}
	assert_string_equal(symbols_at(files[1], 0x1234, false)->scopes[0].name, "(p)+0x1234");
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		symbols_close(files[i]);
}

static void stubs_are_called_by_what_they_call(void **state)
{
	static const char *const how[] = {"gcc -O2",
	                                  "gcc -O2 -fcf-protection=full -Wl,-z,ibtplt",
	                                  "gcc -O2 -Wl,-z,lazy -fcf-protection=none",
	                                  "gcc -O2 -Wl,-z,now",
	                                  "clang-19 -O2 -fuse-ld=lld -Wl,-z,lazy",
	                                  "gcc -O2 -no-pie -s -fplt"};
	char line[512];
	(void)state;
	write_file("p.c", source);
	for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
		shell("%s -o p p.c", how[i]);
		/* objdump reads <rand@plt> out of the same stubs by other means. */
		ask(line, sizeof line, "objdump -d p | awk '/<rand@plt>:/ {print $1}'");
		uint64_t stub = strtoull(line, NULL, 16);
		assert_true(stub != 0);
		struct symbols *s = open_here("p", "");
		assert_string_equal(symbols_at(s, stub, false)->scopes[0].name, "rand@plt");
		assert_string_equal(symbols_at(s, stub + 5, false)->scopes[0].name, "rand@plt");
		assert_int_equal(symbols_at(s, stub + 5, false)->scopes[0].address, stub);
		ask(line, sizeof line, "readelf -SW p | tr -d '[]' | awk '$2 == \".plt\" {print $4}'");
		assert_string_equal(symbols_at(s, strtoull(line, NULL, 16) + 6, false)->scopes[0].name, "(plt)");
		symbols_close(s);
	}
}

static void cxx_and_assembler_names(void **state)
{
	uint64_t size;
	(void)state;
	write_file(
		"x.cc",
		"namespace a { struct b { __attribute__((noinline)) static int c(int x); }; int b::c(int x) { asm volatile(\"\"); return x + 1; } }\n"
		"int main() { return a::b::c(1); }\n");
	write_file(
		"y.s",
		".text\n.globl by_hand\nby_hand:\n\tnop\n\tnop\n\tret\n.globl after\n.type after,@function\nafter: nop\n.size after,1\n.section .note.GNU-stack,\"\"\n");
	static const char *const how[] = {"g++ -g", "clang++-19 -g", "clang++-19 -gline-tables-only", "clang++-19"};
	for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
		shell("%s -O1 -o p x.cc y.s", how[i]);
		struct symbols *s = open_here("p", "");
		uint64_t c = symbol("_ZN1a1b1cEi", "p", &size), hand = symbol("by_hand", "p", NULL);
		const struct symbols_scope *scope = &symbols_at(s, c + size - 1, false)->scopes[0];
		assert_string_equal(scope->linkage, "_ZN1a1b1cEi");
		assert_string_equal(scope->name, "a::b::c(int)");
		assert_string_equal(symbols_at(s, hand + 2, false)->scopes[0].name, "by_hand");
		assert_int_equal(symbols_at(s, hand + 2, false)->scopes[0].address, hand);
		assert_string_equal(symbols_at(s, hand + 3, false)->scopes[0].name, "after");
		if (i < 3) {
			assert_string_equal(scope->file, "x.cc");
			assert_int_equal(scope->line, 1);
		}
		symbols_close(s);
	}
}

/* ---- marks ---- */

static const char marked[] = "volatile int sink;\n"
			     "static inline __attribute__((always_inline)) int user(int x) { return x * 3; } "
			     "static inline __attribute__((always_inline)) void helper(int x) { sink = x; sink = x ^ 5; }\n"
			     "#line 3 \"parallel-overhead:task\"\n"
			     "static inline __attribute__((always_inline)) void spawn(int x)\n"
			     "{\n"
			     "	sink = x;\n"
			     "}\n"
			     "#line 8 \"m.c\"\n"
			     "__attribute__((noinline)) void half(int x)\n"
			     "{\n"
			     "	sink = 1;\n"
			     "	sink = user(x);\n"
			     "#line 12 \"parallel-overhead:sync\"\n"
			     "	sink = 2; helper(x);\n"
			     "#line 13 \"m.c\"\n"
			     "	spawn(x);\n"
			     "	sink = 3;\n"
			     "}\n"
			     "__attribute__((noinline, section(\"skein_overhead_memory\"))) void whole(void) { sink = 5; }\n"
			     "__attribute__((noinline)) void renamed(void) __asm__(LABEL);\n"
			     "void renamed(void) { sink = 6; }\n"
			     "int main(int c, char **v) { (void)v; half(c); whole(); renamed(); return 0; }\n";

static bool is_kind(const char *overhead, const char *kind)
{
	return kind ? overhead && strcmp(overhead, kind) == 0 : !overhead;
}

static void marks_cover_what_they_mark_and_leave_names_alone(void **state)
{
	char program[] = "m";
	(void)state;
	write_file("m.c", marked);
	for (size_t i = 0; i < 4; i++) {
		uint64_t size, half;
		bool seen[16] = {false};
		shell("%s -DLABEL='\"%s\"' -c m.c && objcopy --redefine-sym label=parallel-overhead:steal m.o && %s -o m m.o", ways[i],
		      strstr(ways[i], "gcc") ? "label" : "parallel-overhead:steal", ways[i]); /* gcc's assembler wants other quotes */
		half = symbol("half", program, &size);
		struct symbols *s = open_here(program, "");
		for (uint64_t a = half; a < half + size; a++) {
			const struct symbols_place *p = symbols_at(s, a, false);
			static const char *const kinds[16] = {[5] = "task", [12] = "sync"};
			assert_string_equal(p->file, "m.c");
			assert_string_equal(p->scopes[0].file, "m.c");
			assert_string_equal(p->scopes[0].name, "half");
			assert_true(p->line < 16);
			seen[p->line] = true;
			if (!is_kind(p->overhead, kinds[p->line]))
				fail_msg("%s: line %u is %s", ways[i], p->line, p->overhead ? p->overhead : "work");
			if (p->line == 5) {
				const struct symbols_scope *spawn = &p->scopes[p->count - 1];
				assert_string_equal(spawn->name, "spawn");
				assert_string_equal(spawn->file, "m.c");
				assert_string_equal(spawn->call_file, "m.c");
				assert_int_equal(spawn->call_line, 13);
			}
		}
		const struct symbols_scope *helper = scope_named(first_in(s, half, size, "helper"), "helper");
		assert_string_equal(helper->call_file, "m.c"); /* it is called from a marked line, and is work */
		assert_int_equal(helper->call_line, 12);
		assert_true(seen[2] && seen[5] && seen[12] && seen[10] && seen[14]);
		const struct symbols_place *p = symbols_at(s, symbol("whole", program, NULL), false);
		assert_string_equal(p->overhead, "memory");
		assert_string_equal(p->scopes[0].name, "whole");
		p = symbols_at(s, symbol("parallel-overhead:steal", program, NULL), false);
		assert_string_equal(p->overhead, "steal");
		assert_string_equal(p->scopes[0].name, "renamed");
		assert_null(symbols_at(s, symbol("main", program, NULL), false)->overhead);
		symbols_close(s);
		shell("strip -g m");
		s = open_here(program, "");
		assert_string_equal(symbols_at(s, symbol("parallel-overhead:steal", program, NULL), false)->overhead, "steal");
		assert_string_equal(symbols_at(s, symbol("whole", program, NULL), false)->overhead, "memory");
		symbols_close(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(routines_inlined_and_lines_are_as_another_symbolizer_has_them),
		cmocka_unit_test(an_inlined_routine_knows_where_it_is_called_and_declared),
		cmocka_unit_test(names_are_found_in_separate_files_and_symbol_tables),
		cmocka_unit_test(a_file_that_is_gone_or_another_build_has_no_names),
		cmocka_unit_test(stubs_are_called_by_what_they_call),
		cmocka_unit_test(cxx_and_assembler_names),
		cmocka_unit_test(marks_cover_what_they_mark_and_leave_names_alone),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
