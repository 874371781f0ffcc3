#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# ssh.sh BUILD: copies that ssh starts (--launch 'ssh HOST'), by a server of our own on this machine. Not part of `make check`, since who installs sshd gets a server that runs: `make check-ssh`
# where there is one, or SSHD=FILE for one that was only unpacked. tests/cli/paths/copies.sh tries a launcher that behaves like ssh.
. "$(dirname "$0")/../lib/lib.sh"
sshd=${SSHD:-/usr/sbin/sshd}
for needed in "$sshd" ssh ssh-keygen; do
	command -v "$needed" >/dev/null || { echo "ssh.sh: there is no $needed" >&2; exit 2; }
done
mkdir "$tmp/my bin" "$tmp/w" && chmod 755 "$tmp" && cd "$tmp" || exit

# ---- a server ----
for key in host me; do ssh-keygen -q -t ed25519 -N '' -f $key; done
port=$((20000 + RANDOM))
cat >config <<END2
Port $port
ListenAddress 127.0.0.1
HostKey $tmp/host
AuthorizedKeysFile $tmp/me.pub
StrictModes no
UsePAM no
PidFile none
END2
cp /etc/passwd passwd && grep -q ^sshd: passwd || echo 'sshd:x:105:65534::/run/sshd:/usr/sbin/nologin' >>passwd
if is_root; then
	# Who is root needs what the package would have made: it is there for this process alone.
	unshare -m sh -c 'mount --bind passwd /etc/passwd && mount -t tmpfs none /run && mkdir -m 755 /run/sshd && exec "$@"' sh "$sshd" -D -e -f "$tmp/config" >server.log 2>&1 &
else
	"$sshd" -D -e -f "$tmp/config" >server.log 2>&1 &
fi
server=$!
trap 'kill $server; finish' EXIT
for _ in $(seq 100); do
	grep -q 'listening' server.log && break
	sleep 0.1
done
expect_match 'a server listens' 'listening' server.log
there="ssh -F none -i $tmp/me -p $port -o StrictHostKeyChecking=no -o UserKnownHostsFile=$tmp/known -o BatchMode=yes -o LogLevel=ERROR 127.0.0.1"
check 'and lets us in' $there true

# ---- copies ----
check 'a program is built' skein-cc -O2 -o "my bin/ways" "$tests/prog/paths/copies_ways.c"
ways="$tmp/my bin/ways"
cd w || exit
export COPIES_TEST='two words'
"$ways" self 'x  y' "it's \"so\" \$HOME" >../native 2>/dev/null
seq 1 100000 >../in
record() { # STATUS NAME OPTION… -- WORD…
	rm -f ../r.skein
	expect_status "$1" "$2" timeout 60 skein record paths -o ../r.skein --launch "$there" "${@:3}"
}
for k in 1 2; do
	record 0 "$k: it is recorded" --copies $k -- "$ways" self 'x  y' "it's \"so\" \$HOME"
	same "$k: words, name, environment and folder" "$(cat ../native)" "$(cat "$tmp/out")"
	record 0 "$k: with a file as input" --copies $k -- "$ways" input <../in
	expect_match "$k: which gets there" 'input 588895 bytes' "$tmp/out"
	cat ../in | record 0 "$k: with a pipe" --copies $k -- "$ways" input
	expect_match "$k: what it brings gets there" 'input 588895 bytes' "$tmp/out"
	record 5 "$k: its exit code" --copies $k -- "$ways" exit-5
	(record 134 "$k: the signal that it dies of" --copies $k -- "$ways" abort) 2>/dev/null
	skein record paths -o ../r.skein --launch "$there" --copies $k -- "$ways" sleep >/dev/null 2>&1 &
	skein=$!
	for _ in $(seq 300); do
		[ "$(pgrep -fc "^$ways sleep")" -ge $k ] && break
		sleep 0.1
	done
	kill -TERM $skein
	wait $skein 2>/dev/null
	same "$k: a signal reaches it" '143 0' "$? $(pgrep -fc "^$ways sleep")"
done
