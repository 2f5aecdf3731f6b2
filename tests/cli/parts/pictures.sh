# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: Apache-2.0
# Timelines: whole files, also of schedules that are not safe, of output tiles and clusters; options that mean nothing.

for format in svg html perfetto; do
    expect 0 emit pingpong --format "$format" -o "$scratch/picture"
    holds "emit --format $format writes a file" test -s "$scratch/picture"
    expect 0 emit fourwave --format "$format"
    expect 0 emit tests/roles/take_turns.json --format "$format"
    expect 0 emit tests/roles/gemm_persistent.json --format "$format"
    expect 0 emit tests/roles/gemm_cluster.json --format "$format"
    expect 2 emit pingpong --format "$format" --prefix P
    warns 'E0903'
done
expect 0 emit fourwave --format svg
says '>Hazard: stale_read</text>'
