/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_unrolled.h"

#include "roles_rules.h"

enum { MOST_TOGETHER = 8, LEAST_MOST_N = 12 };

typedef void rule(const role_run *run, judgement *out);

/* In the order of the table. The first step that tells anything that is not accepted ends the judgement of a run. */
static rule *const steps[][MOST_TOGETHER] = {
    {role_rule_counts, role_rule_early_arrivals},
    {role_rule_named_barrier},
    {role_rule_phase_alias},
    {role_rule_unobserved_phase},
    {role_rule_deadlock},
    {role_rule_lost_peer},
    {role_rule_unfenced_place, role_rule_unfenced_register},
    {role_rule_accumulator_in_flight},
    {role_rule_stale_read, role_rule_overwritten, role_rule_write_race, role_rule_wrong_place,
     role_rule_wrong_register, role_rule_missing_work, role_rule_double_work,
     role_rule_out_of_range},
};

static bool is_over(const role_run *run, const judgement *found)
{
    for (size_t i = 0; i < found->count; i++)
        if (!role_is_accepted(&run->accepted, &found->items[i],
                              run->schedule->streams[found->items[i].stream].name))
            return true;
    return false;
}

/* Of output tiles no run is judged further in which the counts of a phase do not add up. */
static bool has_wrong_counts(const role_run *run)
{
    judgement found = {0};
    role_rule_counts(run, &found);
    const bool has = found.count > 0;
    judgement_free(&found);
    return has;
}

static void judge_run(const role_run *run, judgement *out)
{
    judgement found = {0};
    const bool only_first = run->schedule->output_tiles && has_wrong_counts(run);
    const size_t count = only_first ? 1 : sizeof steps / sizeof *steps;
    for (size_t s = 0; s < count && !is_over(run, &found); s++)
        for (size_t i = 0; i < MOST_TOGETHER && steps[s][i]; i++)
            steps[s][i](run, &found);
    for (size_t i = 0; i < found.count; i++)
        judgement_add(out, found.items[i]);
    judgement_free(&found);
}

static void judge_sequence(const swp_schedule *schedule, const role_sequence *sequence,
                           const role_accepted *accepted, judgement *out)
{
    role_run run = role_run_new(schedule, sequence, accepted);
    judge_run(&run, out);
    role_run_free(&run);
}

void roles_unrolled_judge_behind(const swp_schedule *schedule, int most_n,
                                 const role_accepted *accepted, judgement *out)
{
    *out = (judgement){0};
    for (int n = 0; n <= most_n; n++)
        if (swp_schedule_form_of(schedule, n) >= 0)
            judge_sequence(schedule, &(role_sequence){.n = n, .count = 1, .tiles = {n}}, accepted,
                           out);
}

void roles_unrolled_judge(const swp_schedule *schedule, int most_n, judgement *out)
{
    roles_unrolled_judge_behind(schedule, most_n, NULL, out);
}

/* Sequences of tiles of up to `most_n` iterations. */
typedef struct tile_judge {
    const swp_schedule *schedule;
    const role_accepted *accepted;
    int most_n;
    judgement *out;
} tile_judge;

/* Goes on with the tiles from number `tile` on. */
static void judge_tiles(const tile_judge *judge, role_sequence sequence, int tile)
{
    if (tile == sequence.count) {
        judge_sequence(judge->schedule, &sequence, judge->accepted, judge->out);
        return;
    }
    for (int n = 0; n <= judge->most_n; n++) {
        role_sequence longer = sequence;
        longer.n += n;
        longer.tiles[tile] = n;
        if (swp_schedule_form_of(judge->schedule, n) >= 0)
            judge_tiles(judge, longer, tile + 1);
    }
}

void roles_unrolled_judge_tiles_behind(const swp_schedule *schedule, int most_n, int most_tiles,
                                       const role_accepted *accepted, judgement *out)
{
    const tile_judge judge = {schedule, accepted, most_n, out};
    *out = (judgement){0};
    for (int count = 0; count <= most_tiles; count++)
        judge_tiles(&judge, (role_sequence){.count = count}, 0);
}

void roles_unrolled_judge_tiles(const swp_schedule *schedule, int most_n, int most_tiles,
                                judgement *out)
{
    roles_unrolled_judge_tiles_behind(schedule, most_n, most_tiles, NULL, out);
}

int roles_most_n(const swp_schedule *schedule)
{
    int slots = 1;
    for (size_t i = 0; i < schedule->object_count; i++)
        if (schedule->objects[i].slots > slots)
            slots = schedule->objects[i].slots;
    for (size_t v = 0; v < schedule->dataflow->loop->value_count; v++)
        if (schedule->dataflow->slots[v] > slots)
            slots = schedule->dataflow->slots[v];
    const int most = schedule->loop.min_tiles + 3 * slots * schedule->loop.tiles_per_pass;
    return most > LEAST_MOST_N ? most : LEAST_MOST_N;
}
