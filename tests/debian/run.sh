#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: SWP_FULL=1 tests/debian/run.sh
# Builds the Debian packages of a copy of the tree, asks lintian, and installs them over this machine's root, whose
# changes are kept apart: there the command, the library, the Python module and the completion have to work. Takes
# minutes and root, so it is part of `make campaign` alone.
set -euo pipefail
cd "$(dirname "$0")/../.."

skip() {
    echo "debian: skipped: $1"
    exit 77
}

[ -n "${SWP_FULL:-}" ] || skip "it takes minutes; make campaign runs it"
for program in dpkg-buildpackage dh dh_python3 lintian; do
    command -v $program >/dev/null || skip "apt-get install dpkg-dev debhelper dh-python lintian"
done
dpkg-checkbuilddeps || skip "build dependencies are missing"
command=$(realpath "${SWP:-build/release/swp}")
unset SWP SWP_LIBRARY PYTHONPATH

here=$PWD/tests/debian
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/swp"
git ls-files -z | tar --null --files-from=- -c | tar -x -C "$scratch/swp"
(cd "$scratch/swp" && dpkg-buildpackage -us -uc -b) >"$scratch/log" 2>&1 || {
    tail -40 "$scratch/log"
    exit 1
}

status=0
[ "$(dpkg-parsechangelog -l debian/changelog -S Version)" = "$("$command" --version | cut -d' ' -f2)" ] || {
    echo "debian: debian/changelog has another version than the command"
    status=1
}
lintian --allow-root --pedantic --fail-on error,warning,info,pedantic "$scratch"/swp_*.changes || status=1

# What is public is in one of the packages, and no file of the build is.
for package in "$scratch"/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -t | sed "s|^|$(basename "${package%%_*}"): |"
done >"$scratch/files"
while read -r file; do
    grep -qE "^$file\$" "$scratch/files" || { echo "debian: no $file" && status=1; }
done <"$here/files"
! grep -E '/(build|tests|obj-)|\.(o|pyc)$' "$scratch/files" || status=1

unshare --mount true 2>/dev/null || skip "packages are built; installing them takes the right to mount"
unshare --mount "$here/installed.sh" "$scratch" "$PWD" || status=1
exit $status
