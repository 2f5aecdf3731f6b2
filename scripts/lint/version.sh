# SPDX-License-Identifier: Apache-2.0
# usage: held_to TOOL VERSION
# Each version of a tool has its own demands. The sources meet those of Debian 12's, and with another version a lint is skipped.
held_to() {
    local here
    here=$("$1" --version 2>&1 | grep --max-count=1 --ignore-case -E "version|$1") || here="no $1"
    if [[ ! $here =~ (^|[[:space:]])${2//./\\.}(\.|$) ]]; then
        echo "lint: skipped: the sources are held to $1 $2, and here is ${here#"${here%%[![:space:]]*}"}"
        exit 77
    fi
}
