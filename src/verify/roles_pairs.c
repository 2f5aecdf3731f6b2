/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the pairs of threads that touch one share of a version of a shared value, in one rank's memory, and asks of each. */
#include "verify/roles_pairs.h"

#include "happens_before/queues.h"

/* Whether it is over for all threads at once, by what is none's own. */
static bool is_of_all(const swp_happens_step *step)
{
    return swp_happens_tracker(step) != SWP_NO_OBJECT && !swp_happens_is_queued(step);
}

bool swp_verify_role_is_one_wave(const swp_happens_program *program)
{
    return program->is_flat && program->schedule->streams[0].warps == 1 &&
           swp_happens_holds(program, SWP_HAPPENS_ONE_WAVE);
}

static int threads_that_matter(const swp_role_judge *judge, const swp_happens_step *step,
                               bool as_earlier)
{
    const bool at_once = as_earlier && is_of_all(step);
    const bool all = swp_verify_role_holds(judge, SWP_HAPPENS_ALL_PAIRS);
    return at_once || !all || swp_verify_role_is_one_wave(judge->run->program)
               ? 1
               : swp_happens_threads_of(step);
}

static swp_status tell(const swp_role_question *q, const swp_role_access *a,
                       const swp_role_access *b)
{
    swp_role_judge *judge = q->judge;
    const swp_happens_at other =
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

/* Whether it comes to its end at all: an asynchronous one when all of its threads have issued it. */
static bool is_done(const swp_happens_run *run, const swp_role_access *a)
{
    if (!is_of_all(a->step))
        return swp_happens_issued(run, swp_happens_thread_of(a->at.instance, a->which), a->at.step);
    bool all = true;
    for (int which = 0; which < swp_happens_threads_of(a->step); which++)
        all &= swp_happens_issued(run, swp_happens_thread_of(a->at.instance, which), a->at.step);
    return all;
}

/*
 * Behind a thread that stays for ever nothing is asked. What such a thread would have made is missing before its reader,
 * and all else that it does not do is in nobody's way.
 */
static bool is_asked(const swp_role_question *q, const swp_role_access *a, const swp_role_access *b)
{
    const swp_happens_run *run = q->judge->run;
    return !run->stuck ||
           (swp_happens_issued(run, swp_happens_thread_of(b->at.instance, b->which), b->at.step) &&
            (q->kind == SWP_STALE_READ || is_done(run, a)));
}

/* Two accesses in the wrong order. */
typedef struct wrong_pair {
    bool is_there;
    swp_role_access a;
    swp_role_access b;
} wrong_pair;

/* Whether no other pair of threads tells the same. */
static bool is_distinct(const swp_role_access *a, const swp_role_access *b)
{
    return b->which < SWP_HAPPENS_DISTINCT_THREADS ||
           (a->which > 0 && a->at.instance == b->at.instance);
}

/* Asks of each pair of threads. */
static wrong_pair find_wrong(const swp_role_question *q, swp_role_is_right *right,
                             swp_happens_at first, swp_happens_at second)
{
    const swp_happens_run *run = q->judge->run;
    const bool is_fence = q->kind == SWP_UNFENCED;
    swp_role_access a = {first, swp_happens_step_of(run, first.instance, first.step), 0};
    swp_role_access b = {second, swp_happens_step_of(run, second.instance, second.step), 0};
    const int threads[] = {threads_that_matter(q->judge, a.step, !is_fence),
                           threads_that_matter(q->judge, b.step, false)};
    for (a.which = 0; a.which < threads[0] && a.which < SWP_HAPPENS_DISTINCT_THREADS; a.which++)
        for (b.which = 0; b.which < threads[1]; b.which++)
            if (is_distinct(&a, &b) && is_asked(q, &a, &b) && !right(q, &a, &b))
                return (wrong_pair){true, a, b};
    return (wrong_pair){.is_there = false};
}

/* Without waiting for it: accesses of shared memory by one thread may take effect as they are issued. */
static bool takes_effect_before(const swp_happens_run *run, const swp_role_access *a,
                                const swp_role_access *b)
{
    return run->program->is_flat && a->at.instance == b->at.instance && a->which == b->which &&
           a->at.step < b->at.step && swp_happens_holds(run->program, SWP_HAPPENS_LDS_IN_ORDER) &&
           swp_happens_takes_effect_in_order(a->step, b->step);
}

bool swp_verify_role_is_fenced(const swp_role_question *q, const swp_role_access *a,
                               const swp_role_access *b)
{
    const swp_happens_run *run = q->judge->run;
    const int instance = a->at.instance;
    const bool own = swp_verify_role_holds(q->judge, SWP_HAPPENS_OWN_FENCE);
    const int fence = swp_happens_fence_behind(run, instance, own ? a->which : 0, a->at.step);
    if (fence < 0 || !swp_verify_role_holds(q->judge, SWP_HAPPENS_FENCE_ORDER))
        return fence >= 0;
    return swp_happens_before(run, q->value, swp_happens_thread_of(instance, a->which),
                              swp_happens_issue(fence),
                              swp_happens_thread_of(b->at.instance, b->which), b->at.step);
}

/*
 * Without roles the header's barrier has the fence, so that what another thread did by ordinary instructions is there for a
 * wgmma behind a barrier alone.
 */
static bool crosses_proxies(const swp_happens_run *run, const swp_role_access *a,
                            const swp_role_access *b)
{
    const bool is_own = a->at.instance == b->at.instance && a->which == b->which;
    return run->program->is_flat && !is_own &&
           swp_ir_sync_object_row(b->step->queue)->async_proxy &&
           !swp_ir_sync_object_row(a->step->queue)->async_proxy;
}

bool swp_verify_role_is_over(const swp_role_question *q, const swp_role_access *a,
                             const swp_role_access *b)
{
    const bool is_itself =
        a->at.instance == b->at.instance && a->at.step == b->at.step && a->which == b->which;
    if (is_itself) /* it reads, then it writes, but nobody knows when something asynchronous does */
        return !swp_happens_is_queued(a->step) ||
               swp_happens_takes_effect_in_order(a->step, b->step);
    if (takes_effect_before(q->judge->run, a, b))
        return true;
    return swp_happens_over_before(q->judge->run, q->value, a->at.instance, a->which, a->at.step,
                                   q->rank, swp_happens_thread_of(b->at.instance, b->which),
                                   b->at.step) &&
           (!crosses_proxies(q->judge->run, a, b) || swp_verify_role_is_fenced(q, a, b));
}

/* The first step of an instance in a tile, or behind it. */
static int first_of_tile(const swp_happens_run *run, int instance, int64_t tile)
{
    int low = 0;
    int high = run->lengths[instance];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (run->steps[instance][middle].tile < tile)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Asks of those steps of an op that read the version of a tile. The first iteration that is wrong is told. */
static swp_status ask_tile(const swp_role_question *q, swp_role_is_right *right, swp_happens_at one,
                           int op, int instance, int64_t tile)
{
    const swp_happens_run *run = q->judge->run;
    const int tag = swp_tag_of_loop_op(op);
    wrong_pair first = {.is_there = false};
    for (int s = first_of_tile(run, instance, tile);
         s < run->lengths[instance] && run->steps[instance][s].tile == tile; s++) {
        const swp_happens_step *step = &run->steps[instance][s];
        if (step->op->tag != tag || (first.is_there && step->iteration >= first.a.step->iteration))
            continue;
        const wrong_pair wrong = find_wrong(q, right, (swp_happens_at){instance, s}, one);
        if (wrong.is_there)
            first = wrong;
    }
    return first.is_there ? tell(q, &first.a, &first.b) : SWP_OK;
}

/* Asks of those steps that do an op for an iteration, from the last one back. The first that is wrong is told. */
static swp_status ask_iteration(const swp_role_question *q, swp_role_is_right *right,
                                swp_happens_at one, int op, int instance, int64_t iteration)
{
    const swp_happens_run *run = q->judge->run;
    wrong_pair first = {.is_there = false};
    for (int s = swp_happens_find_work(run, instance, op, iteration); s >= 0;
         s = run->steps[instance][s].earlier) {
        const wrong_pair wrong = find_wrong(q, right, (swp_happens_at){instance, s}, one);
        if (wrong.is_there)
            first = wrong;
    }
    return first.is_there ? tell(q, &first.a, &first.b) : SWP_OK;
}

static bool is_multicast(const swp_role_judge *judge, int op)
{
    return judge->model->loop->ops[op].multicast;
}

/*
 * Whether what an instance does of an op is in that memory: its own rank's, or by a multicast each. Of one version who
 * reads it touches the shares of all ranks, and who writes over it its own.
 */
static bool is_in_rank(const swp_role_question *q, swp_happens_at one, int op, int instance)
{
    const swp_happens_run *run = q->judge->run;
    const int rank = swp_happens_rank_of(run, instance);
    const swp_loop_op *work = swp_happens_step_of(run, one.instance, one.step)->work;
    if (!is_multicast(q->judge, op))
        return rank == q->rank || !swp_verify_role_holds(q->judge, SWP_HAPPENS_OWN_RANK);
    return !work->multicast || rank == swp_happens_rank_of(run, one.instance);
}

/* Their own instance's where the two ops are of one role with instances for parts of its work, else those of all. */
static bool is_in_share(const swp_role_question *q, swp_happens_at one, int op, int instance)
{
    const swp_happens_instance *in = &q->judge->run->program->instances[instance];
    const swp_happens_instance *of = &q->judge->run->program->instances[one.instance];
    return in->stream == q->judge->model->ops[op].stream &&
           (in->stream != of->stream || in->number == of->number ||
            (q->judge->run->program->is_flat &&
             swp_verify_role_holds(q->judge, SWP_HAPPENS_OTHER_GROUP)) ||
            !swp_verify_role_holds(q->judge, SWP_HAPPENS_OWN_SHARE));
}

swp_status swp_verify_role_ask_all(const swp_role_question *q, swp_role_is_right *right,
                                   swp_happens_at one, int op, int64_t iteration)
{
    const bool is_all_along = swp_verify_role_reads_all_along(q->judge->model, op, q->value);
    for (int i = 0; i < q->judge->run->program->count; i++)
        if (is_in_share(q, one, op, i) && is_in_rank(q, one, op, i))
            SWP_TRY((is_all_along ? ask_tile : ask_iteration)(q, right, one, op, i, iteration));
    return SWP_OK;
}
