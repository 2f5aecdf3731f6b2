/* SPDX-License-Identifier: Apache-2.0 */
#include "mix.h"

#include "fixture.h"

void program_mix_add(program_mix *mix, const random_program *random, const judgement *judged)
{
    const swp_machine *m = &random->program.schedule.machine;
    mix->programs++;
    mix->one_edit += random->edits == 1;
    if (judged->count == 0)
        mix->safe++;
    else
        mix->first[judged->items[0].kind]++;
    mix->modes[(m->lag ? 1 : 0) + (m->barrier == SWP_BARRIER_FENCED ? 2 : 0) +
               (m->registers == SWP_REGISTERS_RAW ? 4 : 0)]++;
}

void program_mix_print(const program_mix *mix)
{
    print_message("%zu programs: %zu safe, %zu one edit from a safe one\n", mix->programs,
                  mix->safe, mix->one_edit);
    for (int kind = 0; kind < SWP_HAZARD_KINDS; kind++)
        print_message("  %-18s first in %zu\n", swp_hazard_name((swp_hazard_kind)kind),
                      mix->first[kind]);
    for (int mode = 0; mode < MIX_MODES; mode++)
        print_message("  %-6s %-6s %-7s in %zu\n", mode & 1 ? "lag" : "no lag",
                      mode & 2 ? "fenced" : "raw", mode & 4 ? "raw" : "managed", mix->modes[mode]);
}
