#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What skein keeps is for its owner only, holds the arguments of the program but not its environment, and what others put in its place is not used.
. "$(dirname "$0")/../../lib/lib.sh"
export XDG_CACHE_HOME=$tmp/cache
cd "$tmp" || exit
umask 0

cat >prog.c <<'END'
#include <stdio.h>
__attribute__((noinline)) void step(int n) { printf("%d\n", n); }
int main(void) { step(1); return 0; }
END
skein-cc -g -O1 prog.c -o prog || exit

open_to_others() { find "$@" -perm /077 -not -type l | sort; }
record() { SECRET=hunter2-of-nobody expect_status 0 "$1 is recorded" skein record "${@:2}" -- ./prog an-argument-of-mine; } # NAME OPTION…
for lens in calls span input paths idle; do record $lens $lens --keep-raw -o run.skein; done
record 'under Valgrind' input --valgrind --keep-raw -o run.skein
record 'two copies' paths --copies 2 --keep-raw -o run.skein
record 'two copies by a launcher' paths --copies 2 --launch env --keep-raw -o run.skein
same 'the recording is for its owner only' 600 "$(stat -c %a run.skein)"
same 'sessions are, too' '' "$(find .run.skein.session-* -maxdepth 0 -not -perm 700)"
same 'raw recordings are, too' '' "$(open_to_others .run.skein.session-* -name '*.raw')"
same 'so is the cache' '' "$(find cache/skein -maxdepth 1 -type d -perm /077)"
same 'all sessions were kept' 8 "$(find . -maxdepth 1 -name '.run.skein.session-*' | wc -l)"
same 'arguments are recorded' 1 "$(sqlite3 run.skein "select count(distinct command) from run where command like '%an-argument-of-mine'")"
same 'the environment is nowhere' '' "$(grep -rlF hunter2-of-nobody run.skein .run.skein.session-* cache)"

# Copies are told the environment by a file, which is there while they run.
cat >look.c <<'END'
#include <glob.h>
#include <stdio.h>
#include <sys/stat.h>
int main(void)
{
	glob_t found;
	struct stat is;
	int all = glob(".run.skein.session-*/brief", 0, 0, &found) == 0;
	for (size_t i = 0; all && i < found.gl_pathc; i++)
		all = stat(found.gl_pathv[i], &is) == 0 && (is.st_mode & 0777) == 0600;
	printf("%d\n", all);
	return 0;
}
END
rm -rf .run.skein.session-*
skein-cc -g -O1 look.c -o look && expect_status 0 'copies that look' skein record paths --copies 2 --shared-folder -o run.skein -- ./look
same 'the file is for its owner only' 1 "$(head -n 1 "$tmp/out")"
same 'it goes after the run' '' "$(find . -name brief)"

# A skein that was killed leaves that file; to recover the session removes it, also where raw recordings are kept.
rm -rf .run.skein.session-*
record 'two copies once more' paths --copies 2 --keep-raw -o run.skein
session=$(echo .run.skein.session-*)
echo left >"$session/brief" && echo left >"$session/copy-1/brief"
expect_status 0 'a session is recovered' skein recover "$session" --keep-raw -o again.skein
same 'files for copies are gone' '' "$(find . -name brief)"
check 'raw recordings are kept' [ "$(find "$session" -name '*.raw' | wc -l)" -eq 2 ]

# What is run from the cache is the user's own.
if is_root; then
	sed 's/printf(.*n);/puts("planted");/' prog.c >planted.c && cc planted.c -o planted
	planted() { # NAME COMMAND…: the command changes the entry; what lies there must not be run
		local name=$1 entry
		shift
		rm -rf cache run.skein
		skein record calls -o run.skein -- ./prog >/dev/null 2>&1
		entry=$(echo cache/skein/prog-*)
		cp planted "$entry/bin/prog"
		"$@" "$entry"
		expect_status 0 "$name: it is linked again" skein record calls -o run.skein -- ./prog
		expect_match "$name: skein says so" 'linking for calls' "$tmp/err"
		same "$name: the program runs" 1 "$(head -n 1 "$tmp/out")"
		same "$name: the entry is the user's" "$(id -u) 700" "$(stat -c '%u %a' "$entry")"
	}
	planted 'an entry of another user' chown 12345
	planted 'an entry that is open to others' chmod 777
	file_of_another() { chown 12345 "$1/bin/prog"; }
	planted 'a program of another user in an entry' file_of_another
	chown 12345 cache/skein
	refused 125 'a cache of another user' 'belongs to another user: set XDG_CACHE_HOME' skein record calls -o run.skein -- ./prog
else
	skip 'entries of other users' 'only root can make some'
fi
