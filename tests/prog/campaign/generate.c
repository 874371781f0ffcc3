/* SPDX-License-Identifier: MIT */
/* generate.c: writes a random program of what csmith's programs have none of: threads that end in different ways, jumps and exceptions across
 * frames, destructors, recursion, calls through tables and with variable arguments, computed gotos, signals, forks.
 *
 *     generate c SEED       a C program
 *     generate c++ SEED     a C++ program
 *
 * The program includes random.h. It prints its checksum, then how often each of its routines was called (`expect f3 812`), and how many children it
 * had. A routine counts the call, then executes random statements on the number `x`, some of them in a landing, a try block or the life of a guard. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;
static bool cxx;
static unsigned routines, variadics;
static unsigned nesting, labels;

/* SplitMix64: neighbouring seeds give unrelated programs */
static unsigned any(unsigned below)
{
	uint64_t z = state += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (unsigned)((z ^ z >> 31) >> 32) % below;
}

__attribute__((format(printf, 1, 2))) static void line(const char *format, ...)
{
	va_list arguments;
	for (unsigned i = 0; i <= nesting; i++)
		putchar('\t');
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
}

/* A routine as a call names it: by its own name, or through the table. */
static const char *callee(void)
{
	static char text[32];
	snprintf(text, sizeof text, any(2) ? "f%u" : "table[%u]", any(routines));
	return text;
}

static void block(unsigned statements);

static void loop(void)
{
	unsigned depth = nesting;
	line("for (uint32_t i%u = 0; i%u < x %% %u + 1; i%u++) {", depth, depth, any(4) + 1, depth);
	nesting++;
	block(any(2) + 1);
	if (any(3) == 0)
		line("if (x %% %u == 0)\n\t\t\t%s;", any(5) + 2, any(2) ? "break" : "continue");
	line("x += i%u;", depth);
	nesting--;
	line("}");
}

static void choice(void)
{
	line("switch (x %% %u) {", any(3) + 3);
	for (unsigned i = 0; i < 3; i++) {
		line("case %u:", i);
		nesting++;
		block(1);
		if (any(3))
			line("break;");
		else
			line("__attribute__((fallthrough));");
		nesting--;
	}
	line("default:\n\t\tx ^= %u;", any(1000));
	line("}");
}

static void condition(void)
{
	line("if (x & %u) {", 1u << any(8));
	nesting++;
	block(1);
	nesting--;
	line("} else {");
	nesting++;
	block(1);
	nesting--;
	line("}");
}

/* A machine of three states that leaves by the first; its loop is made of computed gotos only. */
static void computed(void)
{
	unsigned n = labels++;
	line("{");
	line("static void *const to%u[] = {&&out%u, &&one%u, &&two%u};", n, n, n, n);
	line("uint32_t turns%u = x %% 7;", n);
	line("goto *to%u[x %% 3];", n);
	line("one%u: x = x * 5 + 1; goto *to%u[turns%u-- ? x %% 3 : 0];", n, n, n);
	line("two%u: x = x ^ x >> 3; goto *to%u[turns%u-- ? x %% 2 + 1 : 0];", n, n, n);
	line("out%u: x += turns%u;", n, n);
	line("}");
}

static void throws(void)
{
	static const char *const what[] = {"throw x;", "{ thrown t; t.x = x; throw t; }", "{ thrown_more t; t.x = t.more = x; throw t; }"};
	line("if (me->at.tries && x %% %u == 0)\n\t\t%s", any(4) + 2, what[any(3)]);
}

static void statement(void)
{
	unsigned to = any(routines);
	switch (any(cxx ? 20 : 17)) {
	default:
		line("x = x * %uu + (x >> %u);", any(1u << 30) * 2 + 1, any(20) + 1);
		break;
	case 0:
	case 1:
		line("x += f%u(me, x ^ %u);", to, any(1000));
		break;
	case 2:
	case 3:
		line("x ^= table[(x + %u) %% routines](me, x);", any(100));
		break;
	case 4:
		line("x += v%u(me, %u, x, x >> 3, %uu, x * 7);", any(variadics), any(5), any(1000));
		break;
	case 5:
		line("if (x %% %u == 0)\n\t\tjump(me, x);", any(4) + 2);
		break;
	case 6:
		line("if (x %% %u == 0)\n\t\tleave(me, x);", any(6) + 2);
		break;
	case 7:
		line("x += team(me, f%u, x, %u);", to, any(4) + 1);
		break;
	case 8:
		line("x += child(me, f%u, x);", to);
		break;
	case 9:
		line("x ^= sorted(x, %u);", any(15) + 2);
		break;
	case 10:
		line("if (x %% %u == 0)\n\t\traise(SIGUSR1);", any(5) + 2);
		break;
	case 11:
		if (nesting < 3)
			loop();
		break;
	case 12:
		if (nesting < 3)
			choice();
		break;
	case 13:
		if (nesting < 3)
			condition();
		break;
	case 17:
	case 18:
		throws();
		break;
	case 19:
		line("{ auto later = [&](uint32_t y) { return f%u(me, x ^ y); }; x += later(x >> 1) + later(3); }", to);
		break;
	}
}

static void block(unsigned statements)
{
	while (statements--)
		statement();
}

/* A landing keeps its number in memory: a jump brings back no register. Jumps may come several times. */
static void lands(void)
{
	line("{");
	line("struct place before = me->at;");
	line("sigjmp_buf here;");
	line("volatile uint32_t kept = x;");
	line("volatile int again = %u;", any(3) + 1);
	line("int came = sigsetjmp(here, 1);");
	line("me->at = before;");
	line("kept += (uint32_t)came;");
	line("if (again-- > 0) {");
	line("\tme->at.landing = &here;");
	for (unsigned i = any(3) + 1; i--;)
		line("\tkept ^= %s(me, kept + %u);", callee(), any(100));
	line("}");
	line("me->at = before;");
	line("x = kept;");
	line("}");
}

static void catches(void)
{
	line("{");
	line("struct place before = me->at;");
	line("me->at.tries++;");
	line("try {");
	nesting++;
	block(any(3) + 1);
	line("x += f%u(me, x);", any(routines));
	nesting--;
	if (any(2)) {
		line("} catch (thrown_more &t) {");
		line("\tx ^= t.more;");
		if (any(2))
			line("\tif (before.tries && x %% 3 == 0)\n\t\t\tthrow;");
	}
	line("} catch (thrown &t) {");
	line("\tx += t.x * 3;");
	if (any(2)) {
		line("} catch (uint32_t n) {");
		line("\tx -= n;");
	} else {
		line("} catch (uint32_t n) {");
		line("\tif (before.tries && n %% 2)\n\t\t\tthrow;");
		line("\tx = n;");
	}
	line("}");
	line("me->at = before;");
	line("}");
}

static void body(void)
{
	if (cxx && any(3) == 0)
		line("guard first(me, f%u);", any(routines));
	block(any(3) + 1);
	if (any(3) == 0)
		lands();
	if (any(4) == 0)
		computed();
	if (cxx && any(2))
		catches();
	block(any(2) + 1);
	if (cxx && any(4) == 0) {
		line("{");
		line("guard last(me, f%u);", any(routines));
		block(2);
		line("}");
	}
}

static void write_routine(unsigned i)
{
	printf("\nROUTINE uint32_t f%u(struct me *me, uint32_t x)\n{\n", i);
	line("if (!enters(me, SHARED_COUNTERS + %u))\n\t\treturn x + %u;", i, i);
	body();
	line("me->at.depth--;");
	line("return x;");
	puts("}");
}

static void write_variadic(unsigned i)
{
	printf("\nROUTINE uint32_t v%u(struct me *me, unsigned n, ...)\n{\n", i);
	line("uint32_t x = n;");
	line("va_list list;");
	line("count(SHARED_COUNTERS + %u);", routines + i);
	line("va_start(list, n);");
	line("while (n--)\n\t\tx = x * %u + va_arg(list, uint32_t);", any(100) * 2 + 3);
	line("va_end(list);");
	line("return x + %s(me, x);", callee());
	puts("}");
}

static void write_program(const char *language, unsigned long seed)
{
	printf("/* generate %s %lu */\n#include \"random.h\"\n\n", language, seed);
	for (unsigned i = 0; i < routines; i++)
		printf("ROUTINE uint32_t f%u(struct me *me, uint32_t x);\n", i);
	for (unsigned i = 0; i < variadics; i++)
		printf("ROUTINE uint32_t v%u(struct me *me, unsigned n, ...);\n", i);
	printf("\nroutine *const table[] = {");
	for (unsigned i = 0; i < routines; i++)
		printf("f%u, ", i);
	printf("};\nconst char *const names[] = {\"thread_begins\", \"compares\", \"signal_comes\", ");
	for (unsigned i = 0; i < routines; i++)
		printf("\"f%u\", ", i);
	for (unsigned i = 0; i < variadics; i++)
		printf("\"v%u\", ", i);
	printf("};\nconst unsigned routines = %u, counters = SHARED_COUNTERS + %u;\n", routines, routines + variadics);
	for (unsigned i = 0; i < routines; i++)
		write_routine(i);
	for (unsigned i = 0; i < variadics; i++)
		write_variadic(i);
	printf("\nint main(void)\n{\n\tprogram_runs(%u, %u, %u);\n\treturn %u;\n}\n", any(6) + 3, any(1000) + 200, any(2) * 2, any(100));
}

int main(int argc, char **argv)
{
	if (argc != 3 || (strcmp(argv[1], "c") && strcmp(argv[1], "c++")) || !*argv[2]) {
		fputs("usage: generate c|c++ SEED\n", stderr);
		return 2;
	}
	state = strtoul(argv[2], NULL, 10);
	cxx = argv[1][1];
	routines = any(12) + 4;
	variadics = any(3) + 1;
	write_program(argv[1], strtoul(argv[2], NULL, 10));
	return 0;
}
