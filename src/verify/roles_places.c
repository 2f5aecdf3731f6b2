/* SPDX-License-Identifier: Apache-2.0 */
/* The rules about places of shared memory: unfenced (a), stale_read, overwritten, write_race and their wrong_tile. */
#include "verify/roles.h"

#include <inttypes.h>

/* A step that touches a version of a shared value, and one of the threads that execute it. */
typedef struct access {
    swp_role_at at;
    const swp_happens_step *step;
    int which;
} access;

/* What is asked of two accesses: `a` has to be over before `b`. */
typedef struct question {
    swp_role_judge *judge;
    swp_hazard_kind kind;
    int value;
    int64_t version;
    swp_role_at teller; /* where it is told */
    int rank;           /* in whose shared memory */
} question;

typedef bool is_right(const question *q, const access *a, const access *b);

static int threads_that_matter(const swp_role_judge *judge, const swp_happens_step *step,
                               bool as_earlier)
{
    const bool at_once = as_earlier && swp_happens_completion(step) != SWP_COMPLETION_NONE;
    const bool all = swp_verify_role_holds(judge, SWP_HAPPENS_ALL_PAIRS);
    return at_once || !all ? 1 : swp_happens_threads_of(step);
}

static swp_status tell(const question *q, const access *a, const access *b)
{
    swp_role_judge *judge = q->judge;
    const swp_role_at other =
        q->teller.instance == b->at.instance && q->teller.step == b->at.step ? a->at : b->at;
    char first[SWP_ROLE_NAME_SIZE];
    char second[SWP_ROLE_NAME_SIZE];
    swp_hazard *hazard = NULL;
    SWP_TRY(swp_verify_role_tell(judge, q->kind, q->teller, other, &hazard));
    if (!hazard)
        return SWP_OK;
    swp_verify_role_set_place(judge, hazard, q->value, q->version);
    (void)swp_verify_role_name(judge, a->at, first);
    (void)swp_verify_role_name(judge, b->at, second);
    const char *value = judge->model->loop->values[q->value].name;
    if (q->kind == SWP_UNFENCED)
        return swp_format(judge->ctx, (char **)&hazard->detail,
                          "%s touches %s[%d] by ordinary instructions, and %s may follow without a "
                          "fence_async of that thread in between",
                          first, value, hazard->slot, second);
    return swp_format(judge->ctx, (char **)&hazard->detail,
                      "%s may begin before %s is done with %s[%d]%s: nothing orders them", second,
                      first, value, hazard->slot,
                      a->at.instance == b->at.instance ? " in all threads" : "");
}

/* Asks of each pair of threads. */
static swp_status ask(const question *q, is_right *right, swp_role_at first, swp_role_at second)
{
    const swp_happens_run *run = q->judge->run;
    const bool is_fence = q->kind == SWP_UNFENCED;
    access a = {first, swp_happens_step_of(run, first.instance, first.step), 0};
    access b = {second, swp_happens_step_of(run, second.instance, second.step), 0};
    for (a.which = 0; a.which < threads_that_matter(q->judge, a.step, !is_fence); a.which++)
        for (b.which = 0; b.which < threads_that_matter(q->judge, b.step, false); b.which++)
            if (!right(q, &a, &b))
                return tell(q, &a, &b);
    return SWP_OK;
}

static bool is_over(const question *q, const access *a, const access *b)
{
    const bool is_itself = a->at.instance == b->at.instance && a->at.step == b->at.step;
    if (is_itself && a->which == b->which)
        return true;
    return swp_happens_over_before(q->judge->run, a->at.instance, a->which, a->at.step, q->rank,
                                   swp_happens_thread_of(b->at.instance, b->which), b->at.step);
}

/* Whether a fence of the thread stands between. The first one behind the instruction tells for all. */
static bool is_fenced(const question *q, const access *a, const access *b)
{
    const swp_happens_run *run = q->judge->run;
    const int instance = a->at.instance;
    const bool own = swp_verify_role_holds(q->judge, SWP_HAPPENS_OWN_FENCE);
    for (int s = a->at.step + 1; s < run->lengths[instance]; s++) {
        const swp_happens_step *step = &run->steps[instance][s];
        if (step->op->tag == SWP_TAG_FENCE_ASYNC &&
            (a->which < swp_happens_threads_of(step) || !own))
            return !swp_verify_role_holds(q->judge, SWP_HAPPENS_FENCE_ORDER) ||
                   swp_happens_before(run, swp_happens_thread_of(instance, a->which),
                                      swp_happens_issue(s),
                                      swp_happens_thread_of(b->at.instance, b->which), b->at.step);
    }
    return false;
}

/* Asks of those works of an op that read the version of a tile. */
static swp_status ask_tile(const question *q, is_right *right, swp_role_at one, int op,
                           int instance, int64_t tile)
{
    const swp_role_works *works = &q->judge->works[instance];
    const swp_role_work *work = swp_verify_role_first_work(q->judge, instance, op);
    for (; work < works->items + works->count && work->op == op; work++)
        if (work->tile == tile)
            SWP_TRY(ask(q, right, (swp_role_at){instance, work->step}, one));
    return SWP_OK;
}

static bool is_multicast(const swp_role_judge *judge, int op)
{
    return judge->model->loop->ops[op].multicast;
}

/*
 * Whether what an instance does of an op is in that memory: its own rank's, or by a multicast each. Of one version who
 * reads it touches the shares of all ranks, and who writes over it its own.
 */
static bool is_in_rank(const question *q, swp_role_at one, int op, int instance)
{
    const swp_happens_run *run = q->judge->run;
    const int rank = swp_happens_rank_of(run, instance);
    const swp_loop_op *work = swp_happens_step_of(run, one.instance, one.step)->work;
    if (!is_multicast(q->judge, op))
        return rank == q->rank || !swp_verify_role_holds(q->judge, SWP_HAPPENS_OWN_RANK);
    return !work->multicast || rank == swp_happens_rank_of(run, one.instance);
}

/* Their own instance's where the two ops are of one role, else those of all. */
static bool is_in_share(const question *q, swp_role_at one, int op, int instance)
{
    const swp_happens_instance *in = &q->judge->run->program->instances[instance];
    const swp_happens_instance *of = &q->judge->run->program->instances[one.instance];
    return in->stream == q->judge->model->ops[op].stream &&
           (in->stream != of->stream || in->number == of->number ||
            !swp_verify_role_holds(q->judge, SWP_HAPPENS_OWN_SHARE));
}

/*
 * Asks of all ops of a number that touch a share that one does. `other_is_first`: they have to be over before the one.
 * It always is where the op reads in all of a tile.
 */
static swp_status ask_all(const question *q, is_right *right, swp_role_at one, int op,
                          int64_t iteration, bool other_is_first)
{
    for (int i = 0; i < q->judge->run->program->count; i++) {
        int count = 0;
        if (!is_in_share(q, one, op, i) || !is_in_rank(q, one, op, i))
            continue;
        if (swp_verify_role_reads_all_along(q->judge->model, op, q->value)) {
            SWP_TRY(ask_tile(q, right, one, op, i, iteration));
            continue;
        }
        const swp_role_work *work = swp_verify_role_find_work(q->judge, i, op, iteration, &count);
        for (int k = 0; k < count; k++) {
            const swp_role_at other = {i, work[k].step};
            SWP_TRY(ask(q, right, other_is_first ? other : one, other_is_first ? one : other));
        }
    }
    return SWP_OK;
}

/* --- Readers --- */

static swp_status tell_unmade(const question *q, int instance)
{
    const swp_role_judge *judge = q->judge;
    const swp_happens_instance *in = &judge->run->program->instances[instance];
    char name[SWP_ROLE_NAME_SIZE];
    swp_hazard *hazard = NULL;
    SWP_TRY(
        swp_verify_role_tell(q->judge, SWP_WRONG_TILE, q->teller, (swp_role_at){-1, -1}, &hazard));
    if (!hazard)
        return SWP_OK;
    swp_verify_role_set_place(judge, hazard, q->value, q->version);
    return swp_format(judge->ctx, (char **)&hazard->detail,
                      "%s wants version %" PRId64 " of %s, which %s %d never makes",
                      swp_verify_role_name(judge, q->teller, name), q->version,
                      judge->model->loop->values[q->value].name,
                      judge->model->schedule->streams[in->stream].name, in->number);
}

/* Every share that it reads has to be made by somebody. */
static swp_status check_made(const question *q)
{
    const swp_happens_program *program = q->judge->run->program;
    const int maker = q->judge->model->values[q->value].maker;
    const int stream = program->instances[q->teller.instance].stream;
    for (int i = 0; i < swp_verify_role_tellers(q->judge); i++) {
        int count = 0;
        if (program->instances[i].stream != q->judge->model->ops[maker].stream ||
            (program->instances[i].stream == stream && i != q->teller.instance))
            continue;
        (void)swp_verify_role_find_work(q->judge, i, maker, q->version, &count);
        if (count == 0)
            SWP_TRY(tell_unmade(q, i));
    }
    return SWP_OK;
}

/* Versions before the loop, and those that no op makes, are there from the start. */
static swp_status check_read(swp_role_judge *judge, swp_role_at at, const swp_role_touch *touch)
{
    const swp_happens_step *step = swp_happens_step_of(judge->run, at.instance, at.step);
    const int maker = judge->model->values[touch->value].maker;
    const question q = {judge,        SWP_STALE_READ,
                        touch->value, swp_verify_role_version(judge, step, touch),
                        at,           swp_happens_rank_of(judge->run, at.instance)};
    if (maker < 0 || q.version < 0)
        return SWP_OK;
    if (swp_verify_role_holds(judge, SWP_HAPPENS_UNMADE))
        SWP_TRY(check_made(&q));
    if (!swp_verify_role_holds(judge, SWP_HAPPENS_STALE_READ))
        return SWP_OK;
    return ask_all(&q, is_over, at, maker, q.version, true);
}

/* --- Writers --- */

/* Whether a write is one in the shared memory of a rank, too. */
static bool writes_in(const swp_role_judge *judge, swp_role_at at, int rank)
{
    const swp_happens_step *step = swp_happens_step_of(judge->run, at.instance, at.step);
    return rank == swp_happens_rank_of(judge->run, at.instance) ||
           (step->work->multicast && swp_verify_role_holds(judge, SWP_HAPPENS_EACH_RANK));
}

static swp_status check_write_in(swp_role_judge *judge, swp_role_at at, const swp_role_touch *touch,
                                 int rank)
{
    const swp_happens_step *step = swp_happens_step_of(judge->run, at.instance, at.step);
    const swp_role_value *value = &judge->model->values[touch->value];
    question q = {judge, SWP_OVERWRITTEN, touch->value, step->iteration - value->slots, at, rank};
    const int readers =
        swp_verify_role_holds(judge, SWP_HAPPENS_OVERWRITTEN) ? value->reader_count : 0;
    for (int r = 0; r < readers; r++)
        SWP_TRY(ask_all(&q, is_over, at, value->readers[r].op,
                        q.version + value->readers[r].distance, true));
    if (!swp_verify_role_holds(judge, SWP_HAPPENS_WRITE_RACE))
        return SWP_OK;
    q.kind = SWP_WRITE_RACE;
    return ask_all(&q, is_over, at, value->maker, q.version, true);
}

static swp_status check_write(swp_role_judge *judge, swp_role_at at, const swp_role_touch *touch)
{
    for (int rank = 0; rank < judge->run->program->ranks; rank++)
        if (writes_in(judge, at, rank))
            SWP_TRY(check_write_in(judge, at, touch, rank));
    return SWP_OK;
}

/* --- Fences --- */

static bool is_ordinary(const swp_role_judge *judge, int op)
{
    const swp_completion completion = judge->model->loop->ops[op].completion;
    return completion == SWP_COMPLETION_NONE || completion == SWP_COMPLETION_UNSTATED;
}

static swp_status check_fence_in(swp_role_judge *judge, swp_role_at at, const swp_role_touch *touch,
                                 int rank)
{
    const swp_happens_step *step = swp_happens_step_of(judge->run, at.instance, at.step);
    const swp_role_value *value = &judge->model->values[touch->value];
    question q = {judge, SWP_UNFENCED, touch->value, swp_verify_role_version(judge, step, touch),
                  at,    rank};
    if (swp_happens_completion(step) == SWP_COMPLETION_NONE)
        return SWP_OK;
    if (touch->kind == SWP_ROLE_READS)
        return value->maker >= 0 && is_ordinary(judge, value->maker) &&
                       swp_verify_role_holds(judge, SWP_HAPPENS_FENCED_WRITE)
                   ? ask_all(&q, is_fenced, at, value->maker, q.version, true)
                   : SWP_OK;
    /* The maker of what it overwrites is the op itself, which is none of ordinary instructions. */
    q.version -= value->slots;
    for (int r = 0; r < value->reader_count; r++)
        if (is_ordinary(judge, value->readers[r].op) &&
            swp_verify_role_holds(judge, SWP_HAPPENS_FENCED_USE))
            SWP_TRY(ask_all(&q, is_fenced, at, value->readers[r].op,
                            q.version + value->readers[r].distance, true));
    return SWP_OK;
}

static swp_status check_fence(swp_role_judge *judge, swp_role_at at, const swp_role_touch *touch)
{
    for (int rank = 0; rank < judge->run->program->ranks; rank++)
        if (writes_in(judge, at, rank))
            SWP_TRY(check_fence_in(judge, at, touch, rank));
    return SWP_OK;
}

/* --- All --- */

typedef swp_status check(swp_role_judge *judge, swp_role_at at, const swp_role_touch *touch);

static swp_status for_each(swp_role_judge *judge, check *of_reads, check *of_writes)
{
    for (int i = 0; i < swp_verify_role_tellers(judge); i++)
        for (int w = 0; w < judge->works[i].count; w++) {
            const swp_role_work *work = &judge->works[i].items[w];
            const swp_role_op *op = &judge->model->ops[work->op];
            for (int t = 0; t < op->touch_count; t++) {
                const swp_role_touch *touch = &op->touches[t];
                if (judge->model->values[touch->value].is_shared)
                    SWP_TRY((touch->kind == SWP_ROLE_READS ? of_reads : of_writes)(
                        judge, (swp_role_at){i, work->step}, touch));
            }
        }
    return SWP_OK;
}

swp_status swp_verify_role_places(swp_role_judge *judge)
{
    return for_each(judge, check_read, check_write);
}

swp_status swp_verify_role_unfenced_places(swp_role_judge *judge)
{
    return for_each(judge, check_fence, check_fence);
}
