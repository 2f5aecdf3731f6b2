#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: unshare --mount tests/debian/installed.sh FOLDER TREE
# Installs the packages of FOLDER over this machine's root, whose changes go to memory, and uses them there.
set -euo pipefail

layer=$1/layer root=$1/layer/root
mkdir "$layer"
mount -t tmpfs tmpfs "$layer"
mkdir "$layer/upper" "$layer/work" "$root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$layer/upper,workdir=$layer/work" "$root"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mkdir -p "$root/packages"
find "$1" -maxdepth 1 -name "*.deb" ! -name "*-dbgsym_*" -exec cp -t "$root/packages" {} +
cp "$2/tests/install/main.c" "$root/packages"

inside() {
    chroot "$root" env -i PATH=/usr/bin:/usr/sbin:/bin:/sbin LC_ALL=C.UTF-8 HOME=/root "$@"
}

# shellcheck disable=SC2016
inside bash -euc '
cd /packages
dpkg --install *.deb >/dev/null
[ "$(swp verify pingpong | cut -c1-14)" = "pingpong: safe" ]
swp tune --help >/dev/null
swp calibrate sm_90 -o calibration >/dev/null
man --path swp swp-tune >/dev/null
[ -s /usr/share/doc/swp/figures/gemm_ws.svg ]
version=$(pkg-config --modversion swp)
gcc main.c -DEXPECTED_VERSION="\"$version\"" $(pkg-config --cflags --libs swp) -o shared
./shared
gcc main.c -DEXPECTED_VERSION="\"$version\"" -static $(pkg-config --static --cflags --libs swp) -o static
./static
cp -r /usr/share/doc/swp/examples/cpu_gemm .
cmake -S cpu_gemm -B example >/dev/null && cmake --build example >/dev/null
python3 -c "import swp; assert swp.compile(\"gemm_ws\").verify(); print(\"swp\", swp.__version__, swp.__file__)"
bash -c "source /usr/share/bash-completion/completions/swp && complete -p swp" >/dev/null
dpkg --purge swp-doc python3-swp libswp-dev swp libswp0.2 libswp-audit0.2 >/dev/null
[ -z "$(find /usr -path "*swp*" -name "*swp*" -newer /packages/main.c -type f)" ]
'
