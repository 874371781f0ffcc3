#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# builds.sh BUILD: real programs built with skein-cc, as a page. real-builds does the work and tells it on standard error.
cat <<'END'
# Real programs, built by skein-cc

Made by `make bench`: each package is built with its own makefiles, once with plain clang-19 and once with skein-cc, at the same
flags; then re-linked for `calls`, and its own tests or a day's work run natively and recorded. *functions* are those of the native
binary; of them, *profiled* are routines of the re-linked one, *inlined* live on in others, *removed* can be reached by nobody.

END
exec "$(dirname "$0")/real-builds" "$1"
