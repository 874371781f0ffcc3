#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Targets, versions, archive and package: what leaves the house is what the source says.
. "$(dirname "$0")/../../lib/lib.sh"

unset MAKEFLAGS MFLAGS MAKELEVEL # of a make that runs this
top=$(realpath "$tests/..")
version=$(cat "$top/VERSION")
cd "$tmp" || exit

# Every target is listed, and what is listed exists.
targets() { sed -n 's/^\.PHONY: //p' "$1" | tr ' ' '\n' | grep -vx FORCE | sort; }
listed() { make -s -C "$top" help | awk '$1 == "make" {print $2}' | sort; }
check 'there are targets' [ "$(targets "$top/Makefile" | wc -l)" -gt 10 ]
check 'make help lists every target, and no other' diff <(targets "$top/Makefile") <(listed)

# One version.
check 'VERSION holds a version' grep -qxE '[0-9]+\.[0-9]+(\.[0-9]+)?' "$top/VERSION"
same 'skein --version' "skein $version" "$(skein --version)"
for page in skein skein-cc skein-record; do
	expect_match "the man page of $page" "^\.TH .*\"skein $version\"" <(skein help --man "$page")
done
same 'the newest entry of CHANGELOG.md' "$version" "$(awk '/^## / {print $2; exit}' "$top/CHANGELOG.md")"
same 'no other place has it' '' "$(grep -n "VERSION *:= *[0-9]" "$top/Makefile")"

# A repository of our own, with the source as it lies here.
git init -q repository
(cd "$top" && tar -c --exclude=./build --exclude=./.git --exclude=.skein --exclude='*.skein' .) | tar -x -C repository
commit() { git -C repository -c user.name=tester -c user.email=tester@localhost "$@"; }
tool() { (cd repository && GIT_COMMITTER_NAME=tester GIT_COMMITTER_EMAIL=tester@localhost "$@"); }
commit add -A
commit commit -qm source
mkdir one two

check 'an archive is made' tool tools/dist "$tmp/one"
tool tools/dist "$tmp/two" >/dev/null
check 'twice the same' cmp "one/skein-$version.tar.xz" "two/skein-$version.tar.xz"
same 'it has what is tracked' "$(commit ls-files | sort)" "$(tar -tf "one/skein-$version.tar.xz" | sed "s,^skein-$version/,,; /\/\$/d; /^\$/d" | sort)"
mkdir unpacked
tar -C unpacked -xf "one/skein-$version.tar.xz"
# The largest program shows that it builds; the rest is the same Makefile.
expect_status 0 'it builds without git' env -C "unpacked/skein-$version" GIT_DIR=/nonexistent make build/bin/skein
same 'as this version' "skein $version" "$("unpacked/skein-$version/build/bin/skein" --version)"
expect_status 1 'an archive of no repository is refused' env -C "unpacked/skein-$version" GIT_CEILING_DIRECTORIES="$tmp/unpacked" tools/dist "$tmp/two"
expect_match 'it says why' 'not a git repository' "$tmp/err"

# Releases.
sed -i "s/^## $version .*/## $version (2026-01-31)/" repository/CHANGELOG.md
expect_status 1 'a tree with changes is not released' tool tools/release --tag
expect_match 'it says so' 'not committed' "$tmp/err"
commit commit -qam 'a date'
expect_status 0 'a dry run' tool tools/release
same 'tags nothing' '' "$(commit tag)"
expect_status 0 'with --tag' tool tools/release --tag
same 'it makes an annotated tag' "v$version tag" "$(commit for-each-ref --format='%(refname:short) %(objecttype)' refs/tags)"
expect_match 'which has the entry' "^Skein $version" <(commit tag -l --format='%(contents)')
expect_status 1 'the same version twice is refused' tool tools/release --tag
expect_match 'it says what to do' 'raise the number in VERSION' "$tmp/err"
echo 9.9 >repository/VERSION
commit commit -qam '9.9'
expect_status 1 'a version without an entry is refused' tool tools/release --tag
expect_match 'it says which' 'no entry for 9.9' "$tmp/err"
