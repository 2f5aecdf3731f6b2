#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: SWP=path/to/swp run.sh [PART...]
# The command from outside: exit statuses, help, options, outputs, limits, signals. A part is a file of
# parts/ and stands alone; without one, all of them are run.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
SWP=$(realpath "${SWP:-$top/build/dev/swp}")
[ -z "${MISTAKES:-}" ] || MISTAKES=$(realpath -- "$MISTAKES") # of parts/mistakes.sh
cd "$top" || exit 1
if [ ! -x "$SWP" ]; then
    echo "cli: $SWP is not built; set SWP"
    exit 2
fi
unset NO_COLOR
export TERM=xterm

if [ $# -eq 0 ]; then
    mapfile -t parts < <(basename -s .sh "$here"/parts/*.sh)
    set -- "${parts[@]}"
fi
if [ $# -gt 1 ]; then
    status=0
    for part; do
        SWP=$SWP "$0" "$part" || [ $? -eq 77 ] || status=1
    done
    exit "$status"
fi

# shellcheck source=tests/cli/lib.sh
. "$here/lib.sh"
# shellcheck source=/dev/null
. "$here/parts/$1.sh"

for reason in "${skipped[@]}"; do
    printf 'cli: skipped: %s\n' "$reason"
done
printf 'cli: %s: %d checks, %d failed\n' "$1" "$checks" "$failures"
[ "$failures" -eq 0 ] || exit 1
# ctest names a part of which nothing could be tried.
[ "$checks" -gt 0 ] || exit 77
