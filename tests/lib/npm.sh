# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# npm.sh: packages of npm, as a lock file has them, for suites and tools that need a browser or build the page. Source it.
#
#     npm_missing                      prints why there can be none, or nothing
#     npm_install FROM TO [OPTION…]    the packages of FROM/package-lock.json into TO, once; with npm's options. Fails with npm's words.
#     node_new_enough MAJOR            whether the system's node will do
#
# What is fetched is proven by the digests of the lock file, and none of it runs when it is installed.

npm_missing() {
	local command
	for command in node npm; do command -v $command >/dev/null || { echo "there is no $command"; return; }; done
}

node_new_enough() { [ "$(node -p 'parseInt(process.versions.node)' 2>/dev/null || echo 0)" -ge "$1" ]; }

npm_install() {
	local from=$1 to=$2
	shift 2
	cmp -s "$from/package-lock.json" "$to/.installed" && return
	mkdir -p "$to" && rm -f "$to/.installed" && cp "$from/package.json" "$from/package-lock.json" "$from/.npmrc" "$to" || return
	(cd "$to" && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error "$@") >"$to/.said" 2>&1 || { tail -n 3 "$to/.said"; return 1; }
	cp "$from/package-lock.json" "$to/.installed"
}
