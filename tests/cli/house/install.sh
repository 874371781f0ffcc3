#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What `make install` puts down works from there, also after it was moved.
. "$(dirname "$0")/../../lib/lib.sh"

# What is removed is what was put there: no file and no folder more or less.
contents() { (cd "$1" && find . | sort); }
mkdir -p "$tmp/there/opt/own/bin" "$tmp/there/opt/own/include"
echo mine >"$tmp/there/opt/own/bin/mine"
contents "$tmp/there" >"$tmp/before"
check 'it installs beside other files' "$tests/../tools/install" "$build" "$tmp/there" /opt/own
check 'and again over itself' "$tests/../tools/install" "$build" "$tmp/there" /opt/own
check 'there is something to remove' [ "$(contents "$tmp/there" | wc -l)" -gt 30 ]
same 'everything is listed' '' "$(cd "$tmp/there" && find . -newer "$tmp/before" ! -type d | sed 's/^\.//' | sort | comm -23 - <(sort opt/own/lib/skein/installed))"
check 'it uninstalls' "$tests/../tools/uninstall" "$tmp/there" /opt/own
check 'what was there before is there, and nothing else' diff "$tmp/before" <(contents "$tmp/there")
expect_status 1 'what is not installed is not uninstalled' "$tests/../tools/uninstall" "$tmp/there" /opt/own

check 'it installs' "$tests/../tools/install" "$build" "$tmp/stage" /opt/skein
mv "$tmp/stage/opt/skein" "$tmp/moved"
PATH=$tmp/moved/bin:${PATH#"$build/bin:"}
cd "$tmp" || exit

for file in bin/skein bin/skein-cc bin/skein-c++ bin/skein-llvm-ar bin/skein-llvm-ranlib lib/skein/libskein-rt.so lib/skein/libskein-pass.so \
	lib/skein/hooks-calls.o include/skein/skein.h share/man/man1/skein.1 share/man/man1/skein-record.1 share/man/man1/skein-report.1 \
	share/man/man1/skein-cc.1 share/man/man1/skein-c++.1 \
	share/bash-completion/completions/skein share/zsh/site-functions/_skein share/fish/vendor_completions.d/skein.fish; do
	check "$file is there" [ -s "moved/$file" ]
done
check 'bash reads the completion' bash -n moved/share/bash-completion/completions/skein
for page in moved/share/man/man1/*.1; do
	expect_match "$(basename "$page") is a man page" '^\.TH ' "$page"
done

cat >user.c <<'END'
#include <skein/skein.h>
__attribute__((noinline)) static int step(volatile int *x) { return ++*x; }
int main(void) { volatile int x = 0; skein_begin("steps"); for (int i = 0; i < 17; i++) step(&x); skein_end(); return x != 17; }
END
expect_status 0 'skein-cc works from there' skein-cc -O2 -g -I moved/include user.c -o user
expect_status 0 'skein record works from there' skein record calls -o user.skein -- ./user
expect_status 0 'also under Valgrind' skein record input --valgrind -o input.skein -- ./user
skein report calls user.skein --csv >user.csv
printf '#include <cilk/cilk.h>\nstatic int f(int n) { if (n < 2) return n; int x = cilk_spawn f(n - 1); int y = f(n - 2); cilk_sync; return x + y; }\nint main(void) { return f(10) != 55; }\n' >fib.c
expect_status 0 'Cilk is known there' skein-cc -O2 fib.c -o fib
same 'without a warning' '' "$(cat "$tmp/err")"
same 'and counts' 17 "$(csv_value user.csv routine=step,worker=all,entry=all calls)"
