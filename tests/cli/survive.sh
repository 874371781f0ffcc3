#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Whatever a subject does, it behaves as it does without us, and what it did is recorded.
. "$(dirname "$0")/../lib.sh"
. "$tests/subjects.sh"

for subject in longjmp.c exceptions.cpp forks.c ends.c cancel.c many_threads.c deep.c opens.c hostile.c signals.c; do
	test_subject "$subject"
done

# within OPTIONS COMMAND: in a mount namespace of its own, with a file system of those options on $tmp/small
within() {
	mkdir -p "$tmp/small"
	unshare --mount --propagation private sh -c 'mount -t tmpfs -o "$1" small "$2" && shift 2 && exec "$@"' sh "$1" "$tmp/small" "${@:2}"
}

# behaved NAME: $tmp/out begins with what the subject prints natively
behaved() {
	local expected
	expected=$(grep -c . "$tmp/hostile/native.out")
	if cmp -s <(head -n "$expected" "$tmp/out") "$tmp/hostile/native.out"; then ok "$1"; else
		not_ok "$1" "the subject's output differs: $(head -c 300 "$tmp/out"); skein said: $(head -c 300 "$tmp/err")"
	fi
}

# A full disk is an error, never a signal: the subject runs to its end, and skein says what was lost. Where nothing can be
# mounted (not root, or a container) a limit on the size of files must do.
build_subject hostile.c || not_ok 'hostile is built' "$(cat "$tmp/build.log")"
cd "$tmp/hostile" || exit
./hostile chdir >native.out
if within size=64k true 2>/dev/null; then
	for size in 64k 600k; do
		within size=$size sh -c "cd '$tmp/small' && skein record calls -o full.skein -- '$tmp/hostile/hostile' chdir; echo status \$? >&2" >"$tmp/out" 2>"$tmp/err"
		behaved "a disk of $size: the subject does not notice"
		expect_match "a disk of $size: skein ends with the subject's status, or with 125" '^status (0|125)$' "$tmp/err"
		expect_match "a disk of $size: skein says so" '[Ss]pace|lost' <(cat "$tmp/err" <(tail -n +3 "$tmp/out"))
	done
	within size=1m,ro sh -c "cd '$tmp/small' && exec skein record calls -o x.skein -- '$tmp/hostile/hostile' chdir" >"$tmp/out" 2>"$tmp/err"
	same 'a read-only folder for the recording is refused' 125 $?
	expect_sentence 'a read-only folder: one sentence'
fi
(ulimit -f 64 && exec skein record calls -o "$tmp/limited.skein" -- ./hostile chdir) >"$tmp/out" 2>"$tmp/err"
status=$?
behaved 'a limit on the size of files: the subject does not notice'
check 'a limit on the size of files: no signal' [ "$status" -eq 0 -o "$status" -eq 125 ]
