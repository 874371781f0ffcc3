#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# skein view: what it writes, and that wrong use gets one sentence, the documented status, and harms no file.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit
umask 022

cat >prog.c <<'END'
__attribute__((noinline)) static int secret_routine(volatile int *x) { return *x += 1; } /* a remark in the source */
int main(void) { volatile int x = 0; for (int i = 0; i < 10; i++) secret_routine(&x); return x != 10; }
END
skein-cc -O2 -g prog.c -o prog || exit
expect_status 0 'a recording' skein record calls -q -o prog.skein -- ./prog
expect_status 0 'another one' skein record calls -q -o next.skein -- ./prog

# unpacked PAGE: what the page holds: the length of the head, the head, the columns
unpacked() { sed -n 's,^<script id="skein-data" type="text/plain">\(.*\)</script>$,\1,p' "$1" | base64 -d | gunzip; }

# ---- what it writes ----

expect_status 0 'a page' skein view prog.skein
same 'it says so' 'Wrote prog.html. Open it in a browser.' "$(cat out)"
same 'and nothing else' '' "$(cat err)"
check 'the page is there' [ -s prog.html ]
check 'it can be read by others, as reports can' [ "$(stat -c %a prog.html)" = 644 ]
unpacked prog.html >data
expect_match 'it holds a routine' 'secret_routine' data
expect_match 'and the source' 'a remark in the source' data
expect_match 'and lenses that were not measured' '"name": "flow", "question": "[^"]*", "measured": false' data
check 'the rest of it is the template' diff <(sed 's,\(^<script id="skein-data" type="text/plain">\).*\(</script>\)$,\1@SKEIN_DATA@\2,' prog.html) "$build/lib/skein/view.html"
expect_status 0 'without sources' skein view prog.skein --no-source -o bare.html
unpacked bare.html >bare
check 'there are none' eval '! grep -aq "a remark in the source" bare'
expect_match 'but the routine' 'secret_routine' bare
expect_status 0 'the newest recording is the default' skein view
same 'which is next.skein' 'Wrote next.html. Open it in a browser.' "$(cat out)"
check 'the same recording makes the same page' eval 'cp prog.html before.html && skein view prog.skein && cmp prog.html before.html'
expect_status 0 'two recordings' skein view prog.skein next.skein -o both.html
unpacked both.html >both
expect_match 'their difference is there' '"difference": \{"verdict"' both
check 'a pipe gets the page' eval 'skein view prog.skein -o /dev/stdout | grep -q skein-data'
expect_status 0 'a browser is opened' env PATH="$tmp/bin:$PATH" bash -c 'mkdir -p bin; printf "#!/bin/sh\necho \"\$1\" >opened\n" >bin/xdg-open; chmod +x bin/xdg-open; exec skein view prog.skein -o -odd.html --open'
same 'by the whole path of the page' "$tmp/-odd.html" "$(cat opened)"

# ---- wrong use ----

echo text >text
echo kept >kept.html
cp prog.skein whole.skein
mkdir folder empty
refused 127 'a recording that is not there' 'absent\.skein' skein view absent.skein
refused 127 'no recording in this folder' 'record' sh -c 'cd empty && exec skein view'
refused 125 'a file that is no recording' 'text is not a recording' skein view text -o kept.html
refused 125 'a second file that is none' 'text is not a recording' skein view prog.skein text -o kept.html
same 'the page of that name is as it was' kept "$(cat kept.html)"
refused 125 'a folder as a recording' 'folder is not a recording' skein view folder
refused 125 'a folder as the page' 'cannot write folder: Is a directory' skein view prog.skein -o folder
refused 125 'a folder that is not there' 'cannot write none/page\.html: No such file' skein view prog.skein -o none/page.html
refused 125 'a full disk' 'cannot write /dev/full: no space left' skein view prog.skein -o /dev/full
check 'a device stays' [ -c /dev/full ]
refused 2 'three recordings' 'unexpected argument text' skein view prog.skein next.skein text
refused 2 'a recording twice' 'prog\.skein and \./prog\.skein are the same file' skein view prog.skein ./prog.skein
ln prog.skein link.skein
refused 2 'also by another name' 'are the same file' skein view prog.skein link.skein
refused 2 'a page over its recording' 'prog\.skein is the recording itself' skein view prog.skein -o prog.skein
refused 2 'or over the other one' 'next\.skein is the recording itself' skein view prog.skein next.skein -o next.skein
equal 'the recording is as it was' whole.skein prog.skein
refused 2 'an option that is not there' '--nonsense' skein view prog.skein --nonsense
refused 127 'no browser' 'cannot open a browser: open prog\.html in one' env PATH="$(dirname "$(command -v skein)")" skein view prog.skein --open
check 'the page is there all the same' cmp prog.html before.html
printf '#!/bin/sh\necho noise >&2\nexit 3\n' >bin/xdg-open
refused 127 'a browser that does not open' 'cannot open a browser: open prog\.html in one' env PATH="$tmp/bin:$PATH" skein view prog.skein --open
size=$(stat -c %s prog.skein)
for part in 100 4096 $((size - 1)); do
	head -c "$part" prog.skein >cut.skein
	refused 125 "a recording cut to $part bytes" 'cut\.skein' skein view cut.skein
	check 'leaves no page' [ ! -e cut.html ]
done

# An installation without the template, or with another file in its place.
"$tests/../tools/install" "$build" "$tmp/stage" /opt/skein >/dev/null
check 'an installed skein makes the same page' eval 'stage/opt/skein/bin/skein view prog.skein -o installed.html && cmp installed.html before.html'
echo '<html></html>' >stage/opt/skein/lib/skein/view.html
refused 125 'a template without a place for data' 'has no place for data: install skein again' stage/opt/skein/bin/skein view prog.skein
rm stage/opt/skein/lib/skein/view.html
refused 125 'no template' 'view\.html is missing: install skein again' stage/opt/skein/bin/skein view prog.skein
expect_match 'skein doctor says so' 'view\.html' <(stage/opt/skein/bin/skein doctor 2>&1)
