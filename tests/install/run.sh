#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: run.sh RELEASE_DIR
# Installs to a temporary prefix and builds an outside program against it in each supported way.
set -euo pipefail

release=$1
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix

cmake --install "$release" --prefix "$prefix" >/dev/null
"$prefix/bin/swp" --version

pc=$(find "$prefix" -name swp.pc)
export PKG_CONFIG_PATH=${pc%/swp.pc}
version=$(pkg-config --modversion swp)

cmake -G Ninja -S "$here" -B "$scratch/cmake" \
    -DCMAKE_PREFIX_PATH="$prefix" -DEXPECTED_VERSION="$version"
cmake --build "$scratch/cmake"
ctest --test-dir "$scratch/cmake" --output-on-failure

flags=(-Wall -Wextra -Wpedantic -Werror "-DEXPECTED_VERSION=\"$version\"")
build() {
    local name=$1 shared static
    # shellcheck disable=SC2207
    shared=($(pkg-config --cflags --libs swp)) static=($(pkg-config --static --cflags --libs swp))
    "${@:2}" "${flags[@]}" "$here/main.c" -x none "${shared[@]}" -o "$scratch/$name-shared"
    "${@:2}" "${flags[@]}" "$here/main.c" -x none -static "${static[@]}" -o "$scratch/$name-static"
    LD_LIBRARY_PATH=$(pkg-config --variable=libdir swp) "$scratch/$name-shared"
    "$scratch/$name-static"
}
build c gcc -std=c11 -x c
build cxx g++ -std=c++17 -x c++
