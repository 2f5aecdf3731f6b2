# SPDX-License-Identifier: Apache-2.0
# usage: sources PATTERN...
# Prints the files of the project that match, one a line: tracked, or new and not ignored.
sources() {
    git ls-files --cached --others --exclude-standard --deduplicate -- "$@" |
        while IFS= read -r file; do
            [ ! -f "$file" ] || printf '%s\n' "$file"
        done
}
