/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds what the rules say the same of in all runs that go on from a cut of output tiles, so that it is asked once
 * (docs/roles-proof.md, "What is judged once").
 */
#include "ir/roles.h"
#include "verify/roles_scan.h"
#include "verify/roles_state.h"

/* Whether something to come may touch what a write replaces. Who reads has been asked of its makers, which are all there. */
static bool may_be_replaced(const swp_role_state_writer *w, const swp_happens_step *at,
                            const swp_role_operand *operand)
{
    const swp_role_value *value = &w->judge->model->values[operand->value];
    if (!value->is_shared || !swp_verify_role_makes(operand->kind))
        return false;
    if (at->work->clock == SWP_TILE_CLOCK && !value->is_of_tiles)
        return true;
    const int64_t version = swp_verify_role_version(w->judge, at, operand);
    return version - (operand->part > 0 ? 0 : value->slots) >= w->value_low[operand->value];
}

/* An op of the tile clock may want what the passes of its tile make last. */
static bool wants_end_of_tile(const swp_role_state_writer *w, const swp_happens_step *at,
                              const swp_role_operand *operand)
{
    const swp_role_value *value = &w->judge->model->values[operand->value];
    return !value->is_shared && !value->is_of_tiles && at->work->clock == SWP_TILE_CLOCK &&
           at->tile >= w->tiles;
}

/* Whether all runs have that iteration. */
static bool is_in_range(const swp_role_state_writer *w, const swp_happens_step *at)
{
    if (at->work->clock == SWP_TILE_CLOCK)
        return at->iteration < w->tiles;
    return at->tile < w->tiles || at->iteration < w->now[SWP_PASS_CLOCK];
}

static bool is_decided(const swp_role_state_writer *w, int instance, int step)
{
    const swp_happens_step *at = &w->run->steps[instance][step];
    if (!at->work)
        return true;
    const swp_role_op *op = &w->judge->model->ops[swp_loop_op_of_tag(at->op->tag)];
    for (int t = 0; t < op->operand_count; t++)
        if (may_be_replaced(w, at, &op->operands[t]) || wants_end_of_tile(w, at, &op->operands[t]))
            return false;
    return is_in_range(w, at);
}

/* Of an instance and an op the tiles from the first one on in which nothing is missing. */
static void find_done(swp_role_judge *judge, swp_role_progress *progress, int instance)
{
    const int ops = (int)judge->model->loop->op_count;
    for (int op = 0; op < ops; op++) {
        int64_t *done = &progress->done[instance * ops + op];
        while (*done < judge->run->sequence->count &&
               !swp_verify_role_is_missing(judge, instance, op, (int)*done))
            ++*done;
    }
}

/* These ask what follows a step. Of which steps that is open they find anew at each cut. */
static bool is_asked_anew(swp_role_rule rule)
{
    return rule == SWP_ROLE_RULE_PHASE_ALIAS || rule == SWP_ROLE_RULE_LOST_PEERS;
}

swp_status swp_verify_role_find_decided(swp_role_judge *judge, const int *asked,
                                        swp_role_progress *progress)
{
    const swp_happens_run *run = judge->run;
    swp_role_state_writer w = {
        .judge = judge, .run = run, .tiles = run->sequence->count, .passes = run->sequence->passes};
    SWP_TRY(swp_verify_role_reach(&w));
    for (int i = 0; i < swp_verify_role_tellers(judge); i++) {
        int step = asked[i];
        for (int rule = 0; rule < SWP_ROLE_RULE_COUNT; rule++)
            progress->judged[rule].steps[i] = is_asked_anew((swp_role_rule)rule) ? 0 : step;
        while (step < w.earliest[i] && is_decided(&w, i, step))
            step++;
        progress->settled[i] = step;
        find_done(judge, progress, i);
    }
    return SWP_OK;
}
