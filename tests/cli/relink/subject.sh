#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The program that is to be profiled is looked at once, and every lens says the same of what is not a program.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

cat >prog.c <<'END'
#include <stdio.h>
__attribute__((noinline)) static int odd(int n) { return n % 3 ? n : -n; }
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 1000; i++)
		sum += odd(i);
	return printf("%d\n", sum) < 0;
}
END
check 'a program is built' skein-cc -O1 -g prog.c -o prog
skein-cc -c prog.c -o object.o && chmod +x object.o
skein-cc -shared -fPIC prog.c -Wl,-soname,libprog.so -o libprog.so
echo 'no program' >text && chmod +x text
echo 'no program' >unable && chmod -x unable
mkdir folder && mkfifo pipe
printf '#!%s/again\n' "$tmp" >again && chmod +x again

# refuses NAME STATUS SENTENCE PROGRAM LENS…: every one of these lenses says so
refuses() {
	local name=$1 status=$2 sentence=$3 program=$4 lens
	shift 4
	for lens; do
		expect_status "$status" "$name, $lens" skein record "$lens" -- "$program"
		expect_sentence "$name, $lens: one sentence"
		expect_match "$name, $lens: which" "$sentence" err
	done
}
every='calls span idle input paths'
refuses 'nothing' 127 'there is no program ./nothing: No such file' ./nothing $every
refuses 'a folder' 126 './folder is not a program: it is a folder' ./folder $every
refuses 'a pipe' 126 './pipe is not a program: it is not a regular file' ./pipe $every
refuses 'no right to run it' 126 './unable cannot be run: .*chmod' ./unable $every
refuses 'text' 126 './text is not a program: it is not a 64-bit ELF file' ./text $every
refuses 'an object' 126 './object.o is not a program: it is an object file' ./object.o $every
refuses 'a library' 126 './libprog.so is a shared library: profile a program that loads it' ./libprog.so $every
refuses 'a script of a script' 126 'chain of interpreters is too deep' ./again idle
refuses 'a script' 126 './again is a script' ./again calls span paths

if [ "$(id -u)" -eq 0 ]; then
	cp prog other && chown nobody other && chmod u+s other
	refuses 'another user'"'"'s rights' 126 './other has setuid, setgid or capabilities' ./other $every
else
	echo "ok another user's rights # SKIP only root can give a file away"
fi

# How often skein opens the program, by a library that counts.
cat >count.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>
int open(const char *path, int flags, ...)
{
	int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
	va_list list;
	va_start(list, flags);
	int mode = va_arg(list, int), out = -1;
	va_end(list);
	if (strcmp(path, "./prog") == 0 || strcmp(path, FOLDER "/prog") == 0)
		out = real(FOLDER "/count", O_WRONLY | O_APPEND | O_CREAT, 0600);
	if (out >= 0 && write(out, "\n", 1) == 1)
		close(out);
	return real(path, flags, mode);
}
int open64(const char *, int, ...) __attribute__((alias("open")));
END
clang-19 -shared -fPIC -DFOLDER="\"$tmp\"" count.c -o count.so
check 'a plan is recorded' skein record paths -o plan.skein -- ./prog
opens() { # OPTION…
	rm -f count && touch count
	LD_PRELOAD=$tmp/count.so skein record "$@" -o "$1.skein" -- ./prog >out 2>err || not_ok "recorded with $*" "$(cat err)"
	wc -l <count
}
if [ -n "${SANITIZE:-}" ]; then
	echo 'ok the program is opened once # SKIP a sanitised skein wants its own library to be loaded first'
else
	for lens in calls span input paths; do same "$lens opens the program once" 1 "$(opens "$lens")"; done
	same 'so do four copies with a plan' 1 "$(opens paths --copies 4 --plan plan.skein)"
fi
