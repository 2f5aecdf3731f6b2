/* SPDX-License-Identifier: Apache-2.0 */
#include "mix.h"

#include <stdio.h>

void program_mix_add(program_mix *mix, int edits, const judgement *judged)
{
    mix->programs++;
    mix->one_edit += edits == 1;
    if (judged->count == 0)
        mix->safe++;
    else
        mix->first[judgement_first(judged)]++;
}

void program_mix_add_mode(program_mix *mix, const swp_machine *machine)
{
    mix->modes[(machine->lag ? 1 : 0) + (machine->barrier == SWP_BARRIER_FENCED ? 2 : 0) +
               (machine->registers == SWP_REGISTERS_RAW ? 4 : 0)]++;
}

static void print_modes(const program_mix *mix)
{
    for (int mode = 0; mode < MIX_MODES; mode++)
        if (mix->modes[mode] > 0)
            printf("  %-6s %-6s %-7s in %zu\n", mode & 1 ? "lag" : "no lag",
                   mode & 2 ? "fenced" : "raw", mode & 4 ? "raw" : "managed", mix->modes[mode]);
}

void program_mix_print(const program_mix *mix)
{
    printf("%zu programs: %zu safe, %zu one edit from a safe one\n", mix->programs, mix->safe,
           mix->one_edit);
    for (int kind = 0; kind < SWP_HAZARD_KINDS; kind++)
        if (mix->first[kind] > 0)
            printf("  %-22s first in %zu\n", swp_hazard_name((swp_hazard_kind)kind),
                   mix->first[kind]);
    print_modes(mix);
}

/*
 * Counters and registers of loads are no part of the machine. Nor is an unobserved phase ever the first: an arrival
 * that comes after the completion of the phase before its own comes after the return of a wait for it, since the only
 * other arc from there leads to the completion of the arrival's own phase; and one that does not is `arrivals`.
 */
bool role_mix_expects(swp_hazard_kind kind)
{
    return kind != SWP_REGISTER_NOT_READY && kind != SWP_COUNTER && kind != SWP_UNOBSERVED_PHASE;
}

/* Fewer than that say little of one in a hundred. */
enum { FEW = 1000, MANY = 10000 };

static bool comes_often_enough(const program_mix *mix, swp_hazard_kind kind)
{
    if (!role_mix_expects(kind))
        return mix->first[kind] == 0;
    return mix->programs < FEW ||
           mix->first[kind] * (mix->programs < MANY ? 200 : 100) >= mix->programs;
}

bool role_mix_is_rich(const program_mix *mix)
{
    bool rich = mix->safe * 10 >= mix->programs * 3 && mix->one_edit * 10 >= mix->programs * 4;
    for (int kind = 0; kind < SWP_HAZARD_KINDS; kind++)
        rich = rich && comes_often_enough(mix, (swp_hazard_kind)kind);
    return rich || mix->programs < FEW / 10;
}
