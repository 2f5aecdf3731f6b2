# shellcheck shell=bash disable=SC2016,SC2154
# SPDX-License-Identifier: Apache-2.0
# Words that the command does not know; run.sh sources it.

expect 2
warns 'E0901'
expect 2 no_such_subcommand
expect 2 compil pingpong
warns 'did you mean `compile`'
expect 2 --no-such-option
expect 2 -x compile pingpong
expect 2 help no_such_subcommand
for subcommand in $subcommands; do
    expect 2 "$subcommand" --no-such-option
    warns 'E0902'
    expect 2 "$subcommand" -x
    expect 2 "$subcommand" one two three
done
expect 2 compile pingpong --formt json
warns 'did you mean `--format`'
expect 2 compile
expect 2 compile ''
expect 2 compile pingpong --format
expect 2 compile pingpong --format xml
expect 2 compile pingpong --format dot
expect 2 compile pingpong --help=yes
expect 2 compile pingpong --color sometimes
expect 2 compile pingpong --diagnostics xml
expect 2 compile pingpong --target gfx1
expect 2 compile pingpong --set schedule.max_vgpr
expect 2 compile pingpong --set =1
expect 2 compile pingpong --set schedule.max_vgpx=1
warns 'did you mean `schedule.max_vgpr`'
expect 2 emit pingpong
expect 2 emit pingpong --format xml
expect 2 list no_such_table
expect 2 new
expect 2 new 'not a name'
expect 2 new name --from no_such_start
expect 2 compile no_such_builtin
expect 2 compile no_such_file.yaml
expect 2 compile "$scratch"
expect 0 compile --format=json -- pingpong
expect 0 compile -- pingpong
expect 0 compile pingpong --set schedule.scheduling=greedy --set schedule.scheduling=csp
says '^order      csp, '
expect 1 compile pingpong --set schedule.max_vgpr=95
warns 'E0401'
