#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a newcomer meets first: make and tools/setup on systems on which nothing is installed yet.
. "$(dirname "$0")/../../lib/lib.sh"

unset MAKEFLAGS MFLAGS MAKELEVEL # of a make that runs this
top=$(realpath "$tests/..")
cd "$tmp" || exit

# A system of its own: the commands that setup needs, and a package manager that only notes what it is asked for.
mkdir bin
for command in sh awk sed sort comm paste xargs cat mktemp rm touch env dirname tail make mkdir nproc find printf grep; do
	ln -s "$(type -P "$command")" "bin/$command"
done
fake() { # NAME LINE…: a command of this system
	local name=$1
	shift
	printf '%s\n' '#!/bin/sh' "$@" >"bin/$name"
	chmod +x "bin/$name"
}
fake dpkg-query 'exit 1'
fake apt-cache
fake apt-get "echo \"\$@\" >>$tmp/asked"
fake id "cat $tmp/user"
echo 0 >user

# on ID VERSION COMMAND…: as on a system that says so of itself
on() {
	printf 'ID=%s\nVERSION_ID="%s"\n' "$1" "$2" >os-release
	shift 2
	OS_RELEASE=$tmp/os-release PATH=$tmp/bin "$@"
}
asked_for() { grep -owF -- "$1" asked | head -n 1; }

for release in 12 13; do
	rm -f asked stamp
	expect_status 0 "Debian $release: setup installs" on debian $release "$top/tools/setup" --stamp stamp build check
	same "Debian $release: valgrind" valgrind "$(asked_for valgrind)"
	same "Debian $release: xz, which suites call" xz-utils "$(asked_for xz-utils)"
	same "Debian $release: gold, where it has a package" "$([ $release = 12 ] || echo binutils-gold)" "$(asked_for binutils-gold)"
	check "Debian $release: it is done once" test -e stamp
done

# Another system: it is told what is missing by which proof, and may try.
rm -f asked stamp
expect_status 0 'another system: setup does not refuse' on nonesuch 1 "$top/tools/setup" --stamp stamp build
check 'another system: nothing is installed' test ! -e asked
expect_match 'another system: a warning' '^setup: warning: ' err
expect_match 'another system: a command that is missing' '^setup:   valgrind \(command valgrind\)$' err
expect_match 'another system: a header that is missing' '^setup:   libdw-dev \(header <elfutils/libdw\.h>\)$' err
check 'another system: the next make tells it again' test ! -e stamp
awk '$1 == "build" && $3 !~ /</ {print $3}' "$top/tools/packages" >proofs
while read -r proof; do
	fake "$proof"
done <proofs
expect_status 0 'another system that gives every proof' on nonesuch 1 "$top/tools/setup" --stamp stamp build
same 'it is told nothing' '' "$(cat out err)"
check 'and asked once' test -e stamp

# Packages come before all else: what only they bring is not looked for before.
expect_status 0 'make plans without any package' on debian 12 make -n -C "$top" BUILD="$tmp/new" VALGRIND="$tmp/none" demo
same 'and sets up first' 'tools/setup --stamp' "$(sed -n 's,^tools/setup --stamp .*,tools/setup --stamp,p; /^tools/q' out)"
same 'after no more than a folder for the stamp' "mkdir -p $tmp/new" "$(sed '/^tools\/setup/,$d; /^make/d' out)"

# Without the right to install, the one sentence that says what to do comes first, and nothing else is tried.
echo 1000 >user
rm -f asked
expect_status 2 'make by a user without sudo' on debian 12 make -C "$top" BUILD="$tmp/new" VALGRIND="$tmp/none" demo
expect_match 'it says what to do' '^setup: as root, run: apt-get install .*valgrind' <(head -n 1 err)
same 'and nothing else' '' "$(grep -v '^make' out)$(sed 1d err | grep -v '^make: ')"
check 'nothing was installed' test ! -e asked

# A Valgrind that is not where it was said to be.
expect_status 2 'a prefix without Valgrind' make -C "$top" BUILD="$tmp/other" VALGRIND="$tmp/none" "$tmp/other/lib/skein/valgrind/vgpreload_core-amd64-linux.so"
expect_match 'is named' "^$tmp/none/libexec/valgrind/vgpreload_core-amd64-linux.so is missing; VALGRIND= " err

# A machine that lets nobody mount: fresh-check fails, and one sentence says why.
mkdir -p copy cannot
cp -r "$top/tools" copy
for command in id unshare debootstrap; do
	printf '#!/bin/sh\n%s\n' "$([ $command = id ] && echo 'echo 0' || echo 'echo "unshare: not permitted" >&2; exit 1')" >cannot/$command
	chmod +x cannot/$command
done
: >os-release
expect_status 1 'fresh-check without the right to mount' env PATH="$tmp/cannot:$PATH" OS_RELEASE="$tmp/os-release" copy/tools/fresh-check trixie demo
same 'it says so' 'fresh-check: this machine does not let root mount in a namespace of its own (unshare: not permitted); run it on one that does' "$(cat err)"
same 'and made no system' '' "$(find copy/build -type f)"
