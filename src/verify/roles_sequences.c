/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The proof of a schedule with output tiles: from each state of a cut between passes or tiles, a pass more, the end of
 * the tile, or of the run, until no new state comes (docs/roles-proof.md, "All sequences of output tiles").
 */
#include "base/diag.h"
#include "base/text.h"
#include "ir/roles.h"
#include "verify/roles_cuts.h"

/* As many cuts are told apart, and steps followed, before the proof gives up. */
enum { MOST_STATES = 1 << 16, MOST_STATES_UNSAFE = 1 << 10 };
static const uint64_t most_steps = UINT64_C(1) << 30;
static const uint64_t most_steps_unsafe = UINT64_C(1) << 22;

/* Cuts that are looked at one behind the other in runs that break a rule: orders that drift apart never come back. */
enum { MOST_UNSAFE = 48 };

/*
 * Cuts that are looked at one behind the other where no thread has come to the end of what stands before: nothing that follows is ever done.
 * What stands right behind may still be an operation too many of a phase that was complete without it.
 */
enum { MOST_STUCK = 1 };

typedef struct enumerator {
    swp_context *ctx;     /* of the verdict */
    swp_context *scratch; /* of all cuts */
    const swp_role_model *model;
    swp_happens_rule without;
    swp_role_part part;
    swp_acceptances accepted;
    swp_key_index *known; /* hazards */
    bool found;           /* some that is not accepted */
    bool is_cut_short; /* some run in which counts of phases that do not add up may be accepted */
    swp_verdict *out;
    swp_happens_tiles tiles;
    int *threads; /* of each instance: how many do anything in any list */
    swp_key_index states;
    int state_count;
    swp_role_cuts open; /* that have to be looked at */
    swp_role_lists_reach reach;
    swp_role_patience patience;
} enumerator;

/* --- One run --- */

typedef swp_status with_run(enumerator *e, swp_role_judge *judge, void *user);

/* Follows a run in memory that is given back after `use`. */
static swp_status with(enumerator *e, const swp_happens_sequence *sequence, with_run *use,
                       void *user)
{
    swp_context inner;
    swp_happens_run run;
    SWP_TRY(swp_scope_open(e->scratch, &inner));
    swp_status status = swp_happens_run_follow_tiles(&inner, &e->tiles, sequence, &run);
    if (status == SWP_OK) {
        swp_role_judge judge = {.ctx = e->ctx,
                                .model = e->model,
                                .run = &run,
                                .reach = &e->reach,
                                .accepted = e->accepted,
                                .told = &e->out->hazards,
                                .known = e->known};
        for (int i = 0; i < run.program->count; i++)
            e->out->work += (uint64_t)run.lengths[i] * SWP_HAPPENS_THREADS;
        status = use(e, &judge, user);
    }
    swp_scope_close(&inner);
    return status;
}

static swp_status judge_all(enumerator *e, swp_role_judge *judge, void *user)
{
    const swp_happens_sequence *sequence = judge->run->sequence;
    int passes = 0;
    for (int t = 0; t < sequence->count; t++)
        passes += swp_happens_tile_passes(&e->tiles, sequence->n[t]);
    if (passes > e->out->passes_explored)
        e->out->passes_explored = passes;
    SWP_TRY(swp_verify_role_judge_run(judge, user));
    e->found |= judge->found;
    e->is_cut_short |= judge->is_cut_short;
    return SWP_OK;
}

/* The run that ends with these tiles. */
static swp_status judge_run(enumerator *e, swp_role_cut *c)
{
    const swp_happens_sequence sequence = {.n = c->n, .count = c->count, .passes = -1};
    return with(e, &sequence, judge_all, &c->rank);
}

/* What tells a cut from others, and whether it is a new one. */
typedef struct question {
    const int *ranks; /* of runs that end about there */
    int rank_count;
    bool is_new;
    bool is_stuck;
} question;

/* Whether no thread that ever does anything comes to the end. */
static bool is_stuck(const enumerator *e, const swp_happens_run *run)
{
    bool stuck = true;
    for (int t = 0; t < run->thread_count; t++) {
        const int instance = t / SWP_HAPPENS_THREADS;
        stuck &= t % SWP_HAPPENS_THREADS >= e->threads[instance] ||
                 run->threads[t].step < run->lengths[instance];
    }
    return stuck;
}

static swp_status ask_state(enumerator *e, swp_role_judge *judge, void *user)
{
    question *q = user;
    swp_role_state state = {0};
    int number = 0;
    SWP_TRY(swp_verify_role_state(judge, &state, NULL));
    for (int i = 0; i < q->rank_count; i++)
        SWP_TRY(SWP_PUSH(judge->run->ctx, &state, q->ranks[i]));
    SWP_TRY(SWP_PUSH(judge->run->ctx, &state, -1)); /* no zeros at the end */
    SWP_TRY(swp_key_index_number(e->scratch, &e->states, state.items,
                                 state.count * sizeof *state.items, e->state_count, &number));
    q->is_new = number == e->state_count;
    q->is_stuck = is_stuck(e, judge->run);
    e->state_count += q->is_new;
    return SWP_OK;
}

/* Whether to go on from it: where nothing ever follows, that is as far as one looks. */
static swp_status is_new(enumerator *e, swp_role_cut *c, question *q)
{
    const swp_happens_sequence sequence = swp_verify_role_sequence(c);
    SWP_TRY(with(e, &sequence, ask_state, q));
    c->stuck = q->is_stuck ? c->stuck + 1 : 0;
    q->is_new &= c->unsafe <= MOST_UNSAFE && c->stuck <= MOST_STUCK;
    return SWP_OK;
}

/* --- All runs --- */

static swp_status begin_tile(enumerator *e, const swp_role_cut *after)
{
    swp_role_cut c = *after;
    c.passes = 0;
    return swp_verify_role_put_cut(e->scratch, &e->open, c);
}

/* The cut after a tile more, and what the run that ends there breaks. */
static swp_status close_tile(enumerator *e, const swp_role_cut *before, int n, swp_role_cut *out)
{
    SWP_TRY(swp_verify_role_close_tile(e->scratch, before, n, out));
    SWP_TRY(judge_run(e, out));
    out->unsafe = out->rank > 0 ? out->unsafe + 1 : 0;
    return SWP_OK;
}

/* How many of its straight lists, or of the epilogues of remainders, are followed. */
static int followed(const enumerator *e, size_t lists)
{
    return e->without == SWP_HAPPENS_EVERY_FORM ? 0 : (int)lists;
}

/* Between tiles: one without passes may follow, or one that begins. */
static swp_status go_on_between(enumerator *e, swp_role_cut *c)
{
    question q = {.ranks = &c->rank, .rank_count = 1};
    const int straight = followed(e, e->model->schedule->streams[0].tails.straight_count);
    SWP_TRY(is_new(e, c, &q));
    if (!q.is_new)
        return SWP_OK;
    for (int n = 0; n < straight; n++) {
        swp_role_cut next;
        SWP_TRY(close_tile(e, c, n, &next));
        SWP_TRY(swp_verify_role_put_cut(e->scratch, &e->open, next));
    }
    return begin_tile(e, c);
}

/* In a tile: it may end, with each remainder, or do a pass more. */
static swp_status go_on_within(enumerator *e, swp_role_cut *c)
{
    const int ends = 1 + followed(e, e->model->schedule->streams[0].tails.epilogue_count);
    swp_role_cut *ended = NULL;
    int *ranks = NULL;
    SWP_TRY(SWP_TAKE(e->scratch, (size_t)ends, &ended));
    SWP_TRY(SWP_TAKE(e->scratch, (size_t)ends, &ranks));
    for (int r = 0; r < ends; r++) {
        SWP_TRY(close_tile(e, c, swp_verify_role_least_n(e->open.loop, c) + r, &ended[r]));
        ranks[r] = ended[r].rank;
    }
    question q = {.ranks = ranks, .rank_count = ends};
    SWP_TRY(is_new(e, c, &q));
    if (!q.is_new)
        return SWP_OK;
    for (int r = 0; r < ends; r++) {
        ended[r].stuck = c->stuck;
        SWP_TRY(swp_verify_role_put_cut(e->scratch, &e->open, ended[r]));
    }
    if (e->without == SWP_HAPPENS_EVERY_PASS)
        return SWP_OK;
    swp_role_cut next = *c;
    next.passes++;
    next.unsafe = ended[0].unsafe;
    return swp_verify_role_put_cut(e->scratch, &e->open, next);
}

static bool is_too_much(const enumerator *e)
{
    if (!swp_verify_role_has_time(&e->patience))
        return true;
    if (e->part.most_steps > 0 && e->out->work > e->part.most_steps)
        return true;
    if (e->found)
        return e->state_count > MOST_STATES_UNSAFE || e->out->work > most_steps_unsafe;
    return e->state_count > MOST_STATES || e->out->work > most_steps;
}

static swp_status tell_no_end(const enumerator *e)
{
    char *hint = NULL;
    if (!swp_verify_role_has_time(&e->patience))
        return swp_error(e->ctx, SWP_E0702, SWP_NOWHERE, "allow more time, or fewer slots",
                         "the proof of sequences of output tiles has come to no end in the time of "
                         "the search");
    SWP_TRY(swp_format(e->ctx, &hint,
                       "a proof follows %d states, and %llu steps of threads: there are fewer with "
                       "fewer slots",
                       MOST_STATES, (unsigned long long)most_steps));
    return swp_error(e->ctx, SWP_E0702, SWP_NOWHERE, hint,
                     "the cuts of sequences of output tiles are not all known after %d different "
                     "ones",
                     e->state_count);
}

/* Arrivals of one phase may stand on both sides of a cut. Its state does not say how far such a phase comes. */
static swp_status tell_cut_short(const enumerator *e)
{
    return swp_error(
        e->ctx, SWP_E0702, SWP_NOWHERE,
        "let as many threads arrive in each phase as the object expects, with the bytes "
        "of its copies",
        "with output tiles nothing is judged behind an accepted `arrivals` whose counts "
        "do not add up");
}

static swp_status enumerate(enumerator *e)
{
    while (e->open.count > 0) {
        swp_role_cut c = swp_verify_role_first_cut(&e->open);
        SWP_TRY((c.passes < 0 ? go_on_between : go_on_within)(e, &c));
        if (e->part.extent == SWP_SOME_HAZARD && e->found)
            return SWP_OK;
        if (!is_too_much(e))
            continue;
        if (e->found) /* what has been found is true, whatever else there may be */
            return SWP_OK;
        return tell_no_end(e);
    }
    return e->is_cut_short && !e->found ? tell_cut_short(e) : SWP_OK;
}

static void count_threads(const swp_happens_program *p, int *threads)
{
    for (int i = 0; i < p->count; i++)
        for (swp_phase list = SWP_PROLOGUE; list <= SWP_DRAIN; list++)
            for (int k = 0; k < p->instances[i].lengths[list]; k++) {
                const swp_happens_step step = swp_happens_step_in(p, &p->instances[i], list, k, 0);
                const int count = swp_happens_threads_of(&step);
                threads[i] = count > threads[i] ? count : threads[i];
            }
}

static swp_status build_tiles(enumerator *e)
{
    SWP_TRY(swp_happens_tiles_build(e->scratch, e->model->schedule, &e->tiles));
    SWP_TRY(swp_verify_role_find_alone(e->scratch, e->model, &e->tiles));
    SWP_TRY(SWP_TAKE(e->scratch, (size_t)e->tiles.programs[0].count, &e->threads));
    for (int f = 0; f < e->tiles.form_count; f++) {
        e->tiles.programs[f].without = e->without;
        count_threads(&e->tiles.programs[f], e->threads);
    }
    return SWP_OK;
}

/* Judges the sequence of a hazard, and no other. */
static swp_status judge_shown(enumerator *e, const swp_hazard *shown)
{
    swp_role_cut all = {.count = shown->tile_count, .passes = -1};
    SWP_TRY(SWP_TAKE(e->scratch, (size_t)all.count + 1, &all.n));
    for (int t = 0; t < all.count; t++)
        all.n[t] = shown->tiles[t];
    return judge_run(e, &all);
}

/*
 * The shorter proof, where all rules hold and nothing is accepted. What it tells of may be no hazard: then all orders are told
 * apart. Who asks for any hazard has one if the sequence has it.
 */
static swp_status try_common_order(enumerator *e, swp_role_prover *prover, bool *decided)
{
    swp_role_cut wrong;
    if (prover->without != SWP_HAPPENS_NO_RULE || prover->accepted.count > 0)
        return SWP_OK;
    SWP_TRY(swp_verify_role_common_order(prover, &e->tiles, &e->patience, decided, &wrong));
    if (*decided)
        return SWP_OK;
    e->out->passes_explored = 0;
    if (prover->part.extent == SWP_SOME_HAZARD && wrong.count >= 0)
        SWP_TRY(judge_run(e, &wrong));
    *decided = e->found;
    return SWP_OK;
}

swp_status swp_verify_role_tiles(swp_role_prover *prover)
{
    enumerator e = {.ctx = prover->ctx,
                    .scratch = prover->scratch,
                    .model = &prover->model,
                    .without = prover->without,
                    .part = prover->part,
                    .accepted = prover->accepted,
                    .known = &prover->known,
                    .out = prover->out,
                    .reach = {.ctx = prover->scratch},
                    .open = {.loop = &prover->model.schedule->loop},
                    .patience = swp_verify_role_patience(prover->scratch, prover->part.need)};
    swp_role_cut first = {.passes = -1};
    bool decided = false;
    SWP_TRY(build_tiles(&e));
    SWP_TRY(SWP_TAKE(e.scratch, 1, &first.n));
    if (prover->part.extent == SWP_ONE_RUN)
        return judge_shown(&e, prover->part.shown);
    SWP_TRY(try_common_order(&e, prover, &decided));
    if (decided)
        return SWP_OK;
    SWP_TRY(judge_run(&e, &first));
    SWP_TRY(swp_verify_role_put_cut(e.scratch, &e.open, first));
    return enumerate(&e);
}
