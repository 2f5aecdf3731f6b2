#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: tests/fresh/run.sh [--suite SUITE] [--user root|sudo] [--tests] [--keep] [CHECKOUT]
# A bare machine: Debian's smallest system with git, make and ca-certificates, made by debootstrap. There it clones the last commit of CHECKOUT
# (this one), runs `make demo`, asks apt for everything that the tests need, and configures them. With SWP_FULL it installs all that, too.
#   --suite SUITE       bookworm (default), trixie, …
#   --user root|sudo    who does it: root (default), or a user who may use sudo
#   --tests             installs that, too, and runs the whole of `make test`
#   --keep              leaves the machine, and says where
# It asks the mirror of this machine's apt. Packages and the smallest system stay in ${XDG_CACHE_HOME:-~/.cache}/swp-fresh, and
# the machines are made in ${TMPDIR:-/tmp}. Where it cannot run it is skipped (77); with CI set it then fails, unless
# SWP_SKIP_FRESH=1 allows that.
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)

cannot() {
    echo "fresh: skipped: $1"
    [ -z "${CI:-}" ] || [ "${SWP_SKIP_FRESH:-}" = 1 ] || {
        echo 'fresh: CI is set: this fails unless SWP_SKIP_FRESH=1 allows the skip'
        exit 1
    }
    exit 77
}

suite=bookworm user=root tests='' keep=''
while [ $# -gt 0 ]; do
    case $1 in
    --suite) suite=${2:?a name} && shift ;;
    --user) user=${2:?root or sudo} && shift ;;
    --tests) tests=1 ;;
    --keep) keep=1 ;;
    -*) sed -n '3,13s/^# //p' "$0" && exit 2 ;;
    *) break ;;
    esac
    shift
done
checkout=$(realpath "${1:-$top}")

# What is mounted goes with this name space, whatever ends it. A machine that nobody keeps is in memory where that has
# room: dpkg waits for a disk after each file.
if [ -z "${SWP_FRESH_INSIDE:-}" ]; then
    [ "${SWP_SKIP_FRESH:-}" != 1 ] || cannot 'SWP_SKIP_FRESH=1'
    [ "$(id -u)" = 0 ] || cannot 'only root makes a machine of its own'
    command -v debootstrap >/dev/null || cannot 'there is no debootstrap: make setup'
    unshare --mount --pid --fork true 2>/dev/null || cannot 'root may not mount here'
    machine=$(mktemp -d "${TMPDIR:-/tmp}/swp-fresh.XXXXXX")
    [ -n "$keep" ] || trap 'rm -rf --one-file-system "$machine"' EXIT
    [ -z "$keep" ] || echo "fresh: the machine stays in $machine"
    memory=$(awk '$1 == "MemAvailable:" { print int($2 / 1024 / 1024) }' /proc/meminfo)
    export SWP_FRESH_INSIDE=$machine SWP_FRESH_IN_MEMORY=
    [ -n "$keep" ] || [ "$memory" -lt 10 ] || SWP_FRESH_IN_MEMORY=1
    unshare --mount --pid --fork --kill-child --mount-proc \
        "$0" --suite "$suite" --user "$user" ${tests:+--tests} "$checkout" &
    # The first process of a name space heeds neither.
    trap 'kill -KILL $!; exit 1' INT TERM
    wait $!
    exit
fi
machine=$SWP_FRESH_INSIDE
[ -z "$SWP_FRESH_IN_MEMORY" ] || mount -t tmpfs -o size=8g,mode=755 swp-fresh "$machine"
unset SWP_FRESH_INSIDE SWP_FRESH_IN_MEMORY

said=$SECONDS
step() {
    printf 'fresh: %4d s: %s\n' $((SECONDS - said)) "$1"
}

# The sites of this machine's apt, as `http://mirror/debian suite-of-this-machine`.
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
sites=$(apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    awk -v main="$codename" '$3 == "main" && ($2 == main || $2 == main "-updates" || $2 == main "-security") { print $1, $2 }')
mirror=$(awk -v main="$codename" '$2 == main { print $1; exit }' <<<"$sites")
[ -n "$mirror" ] || cannot "apt has no mirror of Debian's $codename here"
/usr/lib/apt/apt-helper -qq download-file "$mirror/dists/$suite/Release" "$machine/Release" >/dev/null 2>&1 ||
    cannot "$mirror, apt's mirror, does not answer"
rm "$machine/Release"

cache=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/swp-fresh
packages=$cache/$suite
mkdir -p "$packages/partial"
exec 9>"$cache/$suite.lock"
flock 9
# A system older than a month would update half of itself.
find "$cache" -maxdepth 1 -name "$suite.tar" -mtime +30 -delete
if [ ! -f "$cache/$suite.tar" ]; then
    step "debootstrap makes the smallest $suite from $mirror"
    eval "$(apt-config shell http_proxy Acquire::http::Proxy https_proxy Acquire::https::Proxy)"
    export http_proxy https_proxy
    debootstrap --variant=minbase --cache-dir="$packages" "$suite" "$machine" "$mirror" >"$cache/$suite.log" 2>&1 || {
        tail -n 20 "$cache/$suite.log"
        exit 1
    }
    tar -C "$machine" -cf "$cache/$suite.tar.new" .
    mv "$cache/$suite.tar.new" "$cache/$suite.tar"
else
    tar -C "$machine" -xpf "$cache/$suite.tar"
fi

# The rest of what a machine has: a root that all may enter, sources of packages, names of hosts, devices.
chmod 755 "$machine"
sed -E "s|(.*) $codename(.*)|deb \1 $suite\2 main|" <<<"$sites" >"$machine/etc/apt/sources.list"
apt-config dump --no-empty Acquire >"$machine/etc/apt/apt.conf.d/00machine"
cp /etc/resolv.conf /etc/hosts "$machine/etc/"
mount -t proc proc "$machine/proc"
mkdir -p "$machine/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$machine/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$machine/dev/pts"
mount --bind "$packages" "$machine/var/cache/apt/archives"

inside() {
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 HOME=/root CI="${CI:-}" SWP_SKIP_FRESH=1 \
        chroot "$machine" "$@"
}

# As the one who works there, in the clone.
person() {
    if [ "$user" = root ]; then
        inside bash -eo pipefail -c "cd /srv/swp; $1"
    else
        inside setpriv --reuid person --regid person --init-groups env HOME=/home/person bash -eo pipefail -c "cd /srv/swp; $1"
    fi
}

step "git, make and ca-certificates, and who works there: $user"
wanted=(git make ca-certificates)
[ "$user" = root ] || wanted+=(sudo)
{ inside apt-get update && inside env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
    "${wanted[@]}"; } >"$machine/root/apt.log" 2>&1 || {
    tail -n 20 "$machine/root/apt.log"
    exit 1
}
inside dpkg-query --show --showformat '${Package}\n' | sort >"$machine/root/bare"
if [ "$user" = sudo ]; then
    inside useradd --create-home --shell /bin/bash person
    echo 'person ALL=(ALL) NOPASSWD: ALL' >"$machine/etc/sudoers.d/person"
fi

# A checkout may be another user's.
git -c safe.directory='*' clone --quiet --bare "$checkout" "$machine/srv/swp.git"
mkdir "$machine/srv/swp"
if [ "$user" = sudo ]; then
    inside chown -R person: /srv
fi
person 'git clone --quiet /srv/swp.git .'

# The compiler is this machine's own where the suite is, and what it makes with -O2 is tested here: without that it takes half as long.
if [ "$suite" = "$codename" ] && [ -z "$tests" ] && [ -z "${SWP_FULL:-}" ]; then
    for compiler in cc c++; do
        printf '#!/bin/sh\nexec /usr/bin/%s "$@" -O0\n' $compiler >"$machine/usr/local/bin/$compiler"
        chmod 755 "$machine/usr/local/bin/$compiler"
    done
fi

step 'make demo'
person 'make demo'
inside dpkg-query --show --showformat '${Package}\n' | sort >"$machine/root/demo"
step "make demo is done; it installed $(comm -13 "$machine/root/bare" "$machine/root/demo" | wc -l) packages"
step 'cmake --preset release && cmake --build --preset release'
person "cmake --preset release | grep '^-- no '; cmake --build --preset release -- --quiet"
step 'the packages of the tests, and the tests configured'
if [ -n "$tests" ] || [ -n "${SWP_FULL:-}" ]; then
    person 'make setup'
else
    person 'scripts/setup --look tests && scripts/setup python'
    inside env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends libcmocka-dev >"$machine/root/apt.log" 2>&1
fi
person 'cmake --preset dev >/dev/null && ctest --preset dev -N | tail -n 1'
if [ -n "$tests" ]; then
    step 'make test'
    person 'make test'
fi
step 'done'
