/* SPDX-License-Identifier: Apache-2.0 */
#include "traits.h"

#include "flat_traits.h"

const char *answers_trait_word(answers_trait trait)
{
    static const char *const words[] = {
#define ANSWERS_WORD(identifier, word) word,
        ANSWERS_TRAITS(ANSWERS_WORD)
#undef ANSWERS_WORD
    };
    return words[trait];
}

static unsigned bit(answers_trait trait, bool has)
{
    return has ? 1U << trait : 0;
}

static unsigned of_machine(const swp_machine *m)
{
    return bit(ANSWERS_LAG, m->lag) | bit(ANSWERS_MANAGED, m->registers == SWP_REGISTERS_MANAGED) |
           bit(ANSWERS_RAW_REGISTERS, m->registers == SWP_REGISTERS_RAW) |
           bit(ANSWERS_SCOREBOARD, m->registers == SWP_REGISTERS_SCOREBOARD) |
           bit(ANSWERS_FENCED, m->barrier == SWP_BARRIER_FENCED) |
           bit(ANSWERS_RAW_BARRIER, m->barrier == SWP_BARRIER_RAW) |
           bit(ANSWERS_ONE_WAVE, m->waves_per_group == 1);
}

static unsigned of_roles(const swp_schedule *schedule)
{
    return bit(ANSWERS_OUTPUT_TILES, schedule->output_tiles) |
           bit(ANSWERS_CLUSTER, schedule->cluster > 1);
}

unsigned answers_traits(const swp_schedule *schedule)
{
    const unsigned straight = bit(ANSWERS_STRAIGHT, schedule->streams[0].tails.straight_count > 0);
    if (schedule->streams[0].warps > 0)
        return straight | of_roles(schedule);
    const unsigned flat = straight | of_machine(&schedule->machine);
    if (!schedule->dataflow)
        return flat | answers_body_traits(schedule);
    const swp_schedule form = swp_schedule_form(schedule, 0);
    return flat | answers_loop_traits(&form);
}
