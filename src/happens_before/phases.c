/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the phases of mbarriers that a run works on, and what each of them expects. */
#include "happens_before/run.h"

static bool is_of_mbarrier(const swp_happens_run *run, const swp_op *op)
{
    return op->object >= 0 &&
           run->program->schedule->objects[op->object].kind == SWP_OBJECT_MBARRIER;
}

int swp_happens_find_phase(const swp_happens_run *run, int rank, int object, int64_t turn)
{
    const int of_rank_0 = swp_happens_table_find(&run->turns, object, turn);
    return of_rank_0 < 0 ? -1 : of_rank_0 + rank;
}

/* --- Passes to come --- */

/* All ranks have the same. */
static swp_status add_comings(swp_happens_run *run, const swp_happens_instance *in)
{
    for (int k = 0; k < in->lengths[SWP_KERNEL]; k++) {
        const swp_happens_step entry = swp_happens_step_in(run->program, in, SWP_KERNEL, k, 0);
        const int ranks = swp_happens_goes_to_all(&entry) ? run->program->ranks : 1;
        if (is_of_mbarrier(run, entry.op) && !swp_happens_waits_for_phase(entry.op))
            SWP_TRY(SWP_PUSH(run->ctx, &run->comings[entry.op->object],
                             ((swp_happens_coming){entry.op->iteration,
                                                   ranks * swp_happens_threads_of(&entry)})));
    }
    return SWP_OK;
}

swp_status swp_happens_find_comings(swp_happens_run *run)
{
    SWP_TRY(SWP_TAKE(run->ctx, run->program->schedule->object_count, &run->comings));
    for (int i = 0; i < run->program->of_a_rank; i++)
        SWP_TRY(add_comings(run, &run->program->instances[i]));
    return SWP_OK;
}

/* What all passes have of a phase. */
static int count_coming(const swp_happens_run *run, int object, int64_t turn)
{
    const int unroll = run->program->schedule->loop.tiles_per_pass;
    int count = 0;
    if (!run->goes_on || run->tail)
        return 0;
    for (size_t i = 0; i < run->comings[object].count; i++) {
        const swp_happens_coming *of = &run->comings[object].items[i];
        const int64_t ahead = turn - of->iteration;
        if (ahead >= 0 && ahead % unroll == 0)
            count += of->count;
    }
    return count;
}

/* --- Phases --- */

static swp_status add_phase(swp_happens_run *run, const swp_happens_phase *phase)
{
    const size_t count = (size_t)run->phase_count;
    SWP_TRY(swp_list_reserve(run->ctx, (void **)&run->phases, count, &run->phase_capacity,
                             sizeof *run->phases));
    run->phases[count] = *phase;
    run->phase_count++;
    return SWP_TAKE(run->ctx, swp_happens_width(run), &run->phases[count].clock);
}

/* Each rank has one. */
static swp_status add_phases(swp_happens_run *run, int object, int64_t turn, int *of_rank_0)
{
    const int slots = run->program->schedule->objects[object].slots;
    const int before = swp_happens_table_find(&run->turns, object, turn - slots);
    const int after = swp_happens_table_find(&run->turns, object, turn + slots);
    const int coming = count_coming(run, object, turn);
    *of_rank_0 = run->phase_count;
    for (int rank = 0; rank < run->program->ranks; rank++) {
        const int number = run->phase_count;
        const swp_happens_phase phase = {.rank = rank,
                                         .object = object,
                                         .turn = turn,
                                         .before = before < 0 ? -1 : before + rank,
                                         .after = after < 0 ? -1 : after + rank,
                                         .first = {-1, -1},
                                         .coming = coming,
                                         .completed = turn < 0};
        SWP_TRY(add_phase(run, &phase));
        if (before >= 0) {
            SWP_TRY(swp_happens_keep_phase(run, before + rank));
            run->phases[before + rank].after = number;
        }
        if (after >= 0) {
            SWP_TRY(swp_happens_keep_phase(run, after + rank));
            run->phases[after + rank].before = number;
        }
    }
    swp_happens_table_set(&run->turns, object, turn, *of_rank_0);
    return SWP_OK;
}

/* Whether it stands before another one, by role, tile, list, pass and entry. */
static bool is_earlier(const swp_happens_run *run, swp_happens_at a, swp_happens_at b)
{
    const swp_happens_instance *of = run->program->instances;
    const swp_happens_step *x = swp_happens_step_of(run, a.instance, a.step);
    const swp_happens_step *y = swp_happens_step_of(run, b.instance, b.step);
    if (of[a.instance].stream != of[b.instance].stream)
        return of[a.instance].stream < of[b.instance].stream;
    if (x->tile != y->tile)
        return x->tile < y->tile;
    if (x->list != y->list)
        return swp_happens_list_rank(x->list) < swp_happens_list_rank(y->list);
    return x->pass != y->pass ? x->pass < y->pass : x->entry < y->entry;
}

/* Of the operations of rank 0: all ranks have the same ones. */
static void note_first(swp_happens_run *run, swp_happens_at at, swp_happens_phase *phase)
{
    const bool earlier = swp_happens_holds(run->program, SWP_HAPPENS_FIRST_OPERATION);
    if (phase->rank == 0 && at.instance < run->program->of_a_rank &&
        (phase->first.step < 0 || is_earlier(run, at, phase->first) == earlier))
        phase->first = at;
}

static swp_status count_operation(swp_happens_run *run, swp_happens_at at, int number)
{
    SWP_TRY(swp_happens_keep_phase(run, number));
    const swp_happens_step *step = swp_happens_step_of(run, at.instance, at.step);
    swp_happens_phase *phase = &run->phases[number];
    const int threads = run->program->instances[at.instance].threads;
    const int issues = swp_happens_threads_of(step);
    const bool each = swp_happens_holds(run->program, SWP_HAPPENS_EACH_THREAD);
    if (number == step->phase)
        note_first(run, at, phase);
    phase->operations += issues;
    phase->pending += issues;
    if (run->goes_on && step->list == SWP_KERNEL)
        phase->coming -= issues;
    if (swp_happens_is_copy(step)) {
        phase->brought += step->op->bytes;
        return SWP_OK;
    }
    phase->arrivals += step->op->by == SWP_ONE_THREAD || !each ? 1 : threads;
    phase->expected += step->op->bytes;
    return SWP_OK;
}

static swp_status note_wait(swp_happens_run *run, swp_happens_at at, int number)
{
    SWP_TRY(swp_happens_keep_phase(run, number));
    return SWP_PUSH(run->ctx, &run->phases[number].waits, at);
}

swp_status swp_happens_lay_phase(swp_happens_run *run, int instance, int s)
{
    swp_happens_step *step = &run->steps[instance][s];
    const swp_happens_at at = {instance, s};
    const int own = swp_happens_rank_of(run, instance);
    if (!is_of_mbarrier(run, step->op))
        return SWP_OK;
    int of_rank_0 = swp_happens_table_find(&run->turns, step->op->object, step->iteration);
    if (of_rank_0 < 0)
        SWP_TRY(add_phases(run, step->op->object, step->iteration, &of_rank_0));
    step->phase = of_rank_0 + own;
    if (swp_happens_waits_for_phase(step->op))
        return note_wait(run, at, step->phase);
    for (int rank = 0; rank < run->program->ranks; rank++)
        if (swp_happens_reaches(run, step, rank))
            SWP_TRY(count_operation(run, at, of_rank_0 + rank));
    return SWP_OK;
}

int64_t swp_happens_phase_number(const swp_happens_run *run, int object, int64_t turn)
{
    return swp_happens_quotient(turn, run->program->schedule->objects[object].slots);
}
