#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# builds.sh BUILD: real programs built with skein-cc, as a page. real-builds does the work and tells it on standard error.
cat <<'END'
# Real programs, built by skein-cc

Made by `make bench`: each package is built with its own makefiles, once with plain clang-19 and once
with skein-cc, with the same flags. Then it is re-linked for `calls`, and its own tests or a typical
workload are run natively and recorded.

*functions* are those of the native binary. Of these, *profiled* ones are routines of the re-linked
binary, *inlined* ones exist only inside others, *removed* ones cannot be reached.

END
exec "$(dirname "$0")/real-builds" "$1"
