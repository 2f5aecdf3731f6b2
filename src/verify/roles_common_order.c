/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A shorter proof of a schedule with output tiles: cuts that differ only in what comes before what are taken for one cut, at which no more
 * is known than in each of them (docs/roles-proof.md, "What all cuts know"). It is an abstract interpretation (Cousot and Cousot
 * 1977), with the least of the clocks as its join.
 */
#include "verify/roles_common_order.h"
#include "base/budget.h"
#include "ir/roles.h"

/* As many cuts are told apart, and looked at, before it gives up. */
enum { MOST_NODES = 1 << 12, MOST_LOOKS = 1 << 14 };

static const swp_loop_shape *loop_of(const swp_role_interpreter *in)
{
    return in->open.loop;
}

/* --- Runs --- */

/* How a run goes on from there: through a cut to an end. */
typedef struct way {
    const swp_role_cut *through; /* NULL: straight to the end */
    const swp_role_cut *to;
} way;

static swp_status judge_run(swp_role_interpreter *in, swp_role_judge *judge, const way *on)
{
    const swp_happens_sequence *sequence = judge->run->sequence;
    int passes = 0;
    int rank = 0;
    for (int t = 0; t < sequence->count; t++)
        passes += swp_happens_tile_passes(in->tiles, sequence->n[t]);
    if (passes > in->prover->out->passes_explored)
        in->prover->out->passes_explored = passes;
    SWP_TRY(swp_verify_role_judge_run(judge, &rank));
    if (rank > 0 && !in->is_wrong)
        in->wrong = *on->to;
    in->is_wrong |= rank > 0;
    return SWP_OK;
}

/* What is asked of a run takes as long as it took to follow. */
static swp_status count_work(const swp_role_interpreter *in, const swp_happens_run *run)
{
    enum { STEPS_OF_A_STEP = 20 };
    uint64_t steps = 0;
    for (int i = 0; i < run->program->count; i++)
        steps += (uint64_t)run->lengths[i] * SWP_HAPPENS_THREADS;
    in->prover->out->work += steps;
    return swp_keep_on(run->ctx, STEPS_OF_A_STEP * steps);
}

static swp_status go_on(swp_role_look *l, swp_role_judge *judge, const way *on)
{
    swp_role_interpreter *in = l->in;
    bool is_first = false;
    swp_happens_sequence to = swp_verify_role_sequence(on->to);
    to.is_cut = false;
    SWP_TRY(swp_happens_run_keep_tiles(judge->ctx, &l->run, &to));
    if (on->through) {
        const swp_happens_sequence through = swp_verify_role_sequence(on->through);
        SWP_TRY(swp_happens_run_go_on_tiles(&l->run, &through));
        SWP_TRY(count_work(in, &l->run));
        SWP_TRY(swp_verify_role_arrive(in, l, on->through, judge, &is_first));
    }
    if (is_first && !l->is_less)
        return SWP_OK;
    SWP_TRY(swp_happens_run_go_on_tiles(&l->run, &to));
    SWP_TRY(count_work(in, &l->run));
    return judge_run(in, judge, on);
}

static swp_status go(swp_role_look *l, way on)
{
    swp_context inner;
    swp_hazard_list told = {0};
    swp_key_index known = {0};
    if (l->in->is_wrong)
        return SWP_OK;
    SWP_TRY(swp_scope_open(l->in->scratch, &inner));
    swp_role_judge judge = {.ctx = &inner,
                            .model = &l->in->prover->model,
                            .run = &l->run,
                            .reach = &l->in->reach,
                            .progress = &l->progress,
                            .told = &told,
                            .known = &known};
    const swp_status status = go_on(l, &judge, &on);
    if (status == SWP_OK)
        swp_happens_run_back(&l->run);
    swp_scope_close(&inner);
    return status;
}

/* --- All that may follow a node --- */

/* To a tile that has begun, which then ends as soon as it can. */
static swp_status go_into(swp_role_look *l, int passes)
{
    swp_role_interpreter *in = l->in;
    swp_role_cut begun = *l->from;
    swp_role_cut ended;
    begun.passes = passes;
    SWP_TRY(swp_verify_role_close_tile(in->scratch, l->from,
                                       swp_verify_role_least_n(loop_of(in), &begun), &ended));
    return go(l, (way){&begun, &ended});
}

/* To the end of a tile, and of the run. */
static swp_status go_behind(swp_role_look *l, int n)
{
    swp_role_cut ended;
    SWP_TRY(swp_verify_role_close_tile(l->in->scratch, l->from, n, &ended));
    return go(l, (way){&ended, &ended});
}

static swp_status go_on_between(swp_role_look *l)
{
    const int straight = (int)l->in->tiles->schedule->streams[0].tails.straight_count;
    SWP_TRY(go(l, (way){NULL, l->from}));
    for (int n = 0; n < straight; n++)
        SWP_TRY(go_behind(l, n));
    return go_into(l, 0);
}

static swp_status go_on_within(swp_role_look *l)
{
    const int ends = 1 + (int)l->in->tiles->schedule->streams[0].tails.epilogue_count;
    for (int r = 0; r < ends; r++)
        SWP_TRY(go_behind(l, swp_verify_role_least_n(loop_of(l->in), l->from) + r));
    return go_into(l, l->from->passes + 1);
}

/* --- All nodes --- */

/* Follows the run to a cut of a node. */
static swp_status come_to(swp_role_look *l, swp_context *ctx)
{
    const swp_role_cut_node *n = &l->in->nodes.items[l->from->node];
    SWP_TRY(swp_happens_run_follow_tiles(ctx, l->in->tiles, &l->before, &l->run));
    l->is_less = n->is_less;
    swp_role_judge judge = {
        .ctx = ctx, .model = &l->in->prover->model, .run = &l->run, .reach = &l->in->reach};
    SWP_TRY(swp_verify_role_progress_of_tiles(ctx, judge.model, l->run.program, &l->progress));
    SWP_TRY(swp_verify_role_find_decided(&judge, n->asked, &l->progress));
    return n->is_less ? swp_verify_role_lower(&judge, &l->run, n->known) : SWP_OK;
}

static swp_status look_at(swp_role_interpreter *in, const swp_role_cut *cut)
{
    swp_role_look l = {.in = in, .from = cut, .before = swp_verify_role_sequence(cut)};
    swp_context inner;
    SWP_TRY(swp_scope_open(in->scratch, &inner));
    swp_status status = come_to(&l, &inner);
    if (status == SWP_OK)
        status = (cut->passes < 0 ? go_on_between : go_on_within)(&l);
    swp_scope_close(&inner);
    return status;
}

/* The cut in front of all tiles is the first node. */
static swp_status follow_start(swp_role_interpreter *in, swp_context *ctx)
{
    const swp_role_cut first = {.passes = -1};
    const swp_happens_sequence none = swp_verify_role_sequence(&first);
    swp_happens_run run;
    bool is_first = false;
    SWP_TRY(swp_happens_run_follow_tiles(ctx, in->tiles, &none, &run));
    swp_role_judge judge = {
        .ctx = ctx, .model = &in->prover->model, .run = &run, .reach = &in->reach};
    return swp_verify_role_arrive(in, NULL, &first, &judge, &is_first);
}

static swp_status begin(swp_role_interpreter *in)
{
    swp_context inner;
    SWP_TRY(swp_scope_open(in->scratch, &inner));
    const swp_status status = follow_start(in, &inner);
    swp_scope_close(&inner);
    return status;
}

static bool is_too_much(const swp_role_interpreter *in)
{
    const uint64_t most = in->prover->part.most_steps;
    return !swp_verify_role_has_time(in->patience) || in->nodes.count > MOST_NODES ||
           in->looks > MOST_LOOKS || (most > 0 && in->prover->out->work > most);
}

static swp_status interpret(swp_role_interpreter *in)
{
    SWP_TRY(begin(in));
    while (in->open.count > 0 && !in->is_wrong && !is_too_much(in)) {
        const swp_role_cut cut = swp_verify_role_first_cut(&in->open);
        in->nodes.items[cut.node].is_open = false;
        in->looks++;
        SWP_TRY(look_at(in, &cut));
    }
    return SWP_OK;
}

/* A row of clocks for each kind of moments that several threads ask for. The others are in that of groups, where nobody asks. */
static swp_status find_rows(const swp_role_prover *prover, swp_happens_tiles *tiles)
{
    const swp_role_model *model = &prover->model;
    const int values = (int)model->loop->value_count;
    const int kinds = values + (int)model->schedule->object_count + 1;
    int *rows = NULL;
    SWP_TRY(SWP_TAKE(prover->scratch, (size_t)kinds, &rows));
    for (int kind = 0; kind < kinds - 1; kind++) {
        const bool is_asked =
            !tiles->alone[kind] && (kind >= values || model->values[kind].is_shared);
        rows[kind] = is_asked ? tiles->row_count++ : 0;
    }
    tiles->rows = rows;
    return SWP_OK;
}

swp_status swp_verify_role_common_order(swp_role_prover *prover, const swp_happens_tiles *tiles,
                                        const swp_role_patience *patience, bool *safe,
                                        swp_role_cut *wrong)
{
    swp_happens_tiles apart = *tiles;
    swp_role_interpreter in = {.prover = prover,
                               .scratch = prover->scratch,
                               .tiles = &apart,
                               .patience = patience,
                               .reach = {.ctx = prover->scratch},
                               .open = {.loop = &prover->model.schedule->loop}};
    SWP_TRY(find_rows(prover, &apart));
    SWP_TRY(interpret(&in));
    *safe = !in.is_wrong && in.open.count == 0;
    *wrong = in.is_wrong ? in.wrong : (swp_role_cut){.count = -1};
    return SWP_OK;
}
