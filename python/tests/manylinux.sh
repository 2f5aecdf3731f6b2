#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: SWP_FULL=1 python/tests/manylinux.sh [WHEEL]
# Runs the wheel of scripts/wheel (or WHEEL) on the smallest systems of three Debians, which debootstrap makes: they have Python and
# no compiler, and the oldest has glibc 2.31. It takes minutes and asks for a package index, so it is part of `make campaign` alone.
set -euo pipefail
cd "$(dirname "$0")/../.."

skip() {
    echo "python.manylinux: skipped: $1"
    exit 77
}

[ -n "${SWP_FULL:-}" ] || skip "it takes minutes; make campaign runs it"
[ "$(id -u)" = 0 ] || skip 'only root makes a machine of its own'
command -v debootstrap >/dev/null || skip 'there is no debootstrap: make setup'
if [ -z "${SWP_MANYLINUX_INSIDE:-}" ]; then
    export SWP_MANYLINUX_INSIDE=1
    exec unshare --mount --pid --fork --kill-child "$0" "$@"
fi
scratch=$(mktemp -d)
trap 'umount -R "$scratch"/*/proc 2>/dev/null; rm -rf --one-file-system "$scratch"' EXIT
wheel=$(realpath "${1:-/dev/null}")
if [ $# -eq 0 ]; then
    scripts/wheel "$scratch/wheel"
    wheel=$(ls "$scratch"/wheel/*.whl)
fi
name=$(basename "$wheel")
[[ $name == *manylinux_2_28* ]]
echo "python.manylinux: $name, $(stat --format=%s "$wheel") bytes"

mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | head -n 1)
eval "$(apt-config shell http_proxy Acquire::http::Proxy https_proxy Acquire::https::Proxy)"
export http_proxy https_proxy
cache=${XDG_CACHE_HOME:-$HOME/.cache}/swp-manylinux
seen=0
for suite in bullseye bookworm trixie; do
    machine=$scratch/$suite
    mkdir -p "$machine" "$cache/$suite"
    debootstrap --variant=minbase --include=python3-venv --cache-dir="$cache/$suite" "$suite" "$machine" "$mirror" >"$scratch/$suite.log" 2>&1 || {
        echo "python.manylinux: no $suite: $(tail -n 1 "$scratch/$suite.log")"
        continue
    }
    mount -t proc proc "$machine/proc"
    cp "$wheel" examples/audit/race.ptx "$machine/root/"
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot "$machine" bash -euo pipefail -c '
        cd /root
        ! command -v gcc cc c++ clang
        python3 -m zipfile -e "$1" unpacked
        chmod +x unpacked/swp/swp
        unpacked/swp/swp verify pingpong | grep -q "^pingpong: safe"
        code=0
        unpacked/swp/swp audit race.ptx >found || code=$?
        [ $code = 1 ] && grep -q "fault\[" found
        if python3 -c "import sys; sys.exit(sys.version_info < (3, 10))"; then
            python3 -m venv environment
            environment/bin/pip --quiet install --no-index "./$1"
            environment/bin/swp verify gemm_ws | grep -q "^gemm_ws: safe"
            environment/bin/python -c "import swp; assert swp.compile(\"pingpong\").verify().safe"
        fi
        echo "$(. /etc/os-release; echo "$PRETTY_NAME"), $(ldd --version | head -n 1), $(python3 --version): right"
    ' - "$name"
    umount "$machine/proc"
    seen=$((seen + 1))
done
[ "$seen" -gt 0 ] || skip "debootstrap made no machine from $mirror"
