/* SPDX-License-Identifier: Apache-2.0 */
/* The rules about places of shared memory: unfenced (a), stale_read, overwritten, write_race and their wrong_tile. */
#include "happens_before/queues.h"
#include "verify/roles_pairs.h"

#include <inttypes.h>

/* --- Readers --- */

static swp_status tell_unmade(const swp_role_question *q, int instance)
{
    const swp_role_judge *judge = q->judge;
    const swp_happens_instance *in = &judge->run->program->instances[instance];
    char name[SWP_ROLE_NAME_SIZE];
    swp_hazard *hazard = NULL;
    SWP_TRY(swp_verify_role_tell(q->judge, SWP_WRONG_TILE, q->teller, (swp_happens_at){-1, -1},
                                 &hazard));
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
static swp_status check_made(const swp_role_question *q, int maker)
{
    const swp_happens_program *program = q->judge->run->program;
    const int stream = program->instances[q->teller.instance].stream;
    for (int i = 0; i < swp_verify_role_tellers(q->judge); i++) {
        if (program->instances[i].stream != q->judge->model->ops[maker].stream ||
            (program->instances[i].stream == stream && i != q->teller.instance))
            continue;
        if (swp_happens_find_work(q->judge->run, i, maker, q->version) < 0)
            SWP_TRY(tell_unmade(q, i));
    }
    return SWP_OK;
}

/* Versions before the loop, and those that no op makes, are there from the start. */
static swp_status check_read(swp_role_judge *judge, swp_happens_at at,
                             const swp_role_operand *operand)
{
    const swp_happens_step *step = swp_happens_step_of(judge->run, at.instance, at.step);
    const swp_role_value *value = &judge->model->values[operand->value];
    const swp_role_question q = {judge,
                                 SWP_STALE_READ,
                                 operand->value,
                                 swp_verify_role_version(judge, step, operand),
                                 at,
                                 swp_happens_rank_of(judge->run, at.instance)};
    if (value->makers == 0 || q.version < 0)
        return SWP_OK;
    const int maker = value->made_by[operand->part];
    if (swp_verify_role_holds(judge, SWP_HAPPENS_UNMADE))
        SWP_TRY(check_made(&q, maker));
    if (!swp_verify_role_holds(judge, SWP_HAPPENS_STALE_READ))
        return SWP_OK;
    return swp_verify_role_ask_all(&q, swp_verify_role_is_over, at, maker, q.version);
}

/* --- Writers --- */

/* Whether a write is one in the shared memory of a rank, too. */
static bool writes_in(const swp_role_judge *judge, swp_happens_at at, int rank)
{
    const swp_happens_step *step = swp_happens_step_of(judge->run, at.instance, at.step);
    return rank == swp_happens_rank_of(judge->run, at.instance) ||
           (step->work->multicast && swp_verify_role_holds(judge, SWP_HAPPENS_EACH_RANK));
}

/* The tile that a write replaces: of its version, or with the first maker the last one of the version before in that place. */
typedef struct replaced {
    int64_t version;
    int part;
} replaced;

static replaced replaced_by(const swp_role_judge *judge, const swp_role_value *value,
                            int64_t version, int part)
{
    return part > 0 && swp_verify_role_holds(judge, SWP_HAPPENS_IN_PLACE)
               ? (replaced){version, part - 1}
               : (replaced){version - value->slots, value->makers - 1};
}

static swp_status check_write_in(swp_role_judge *judge, swp_happens_at at,
                                 const swp_role_operand *operand, int rank)
{
    const swp_happens_step *step = swp_happens_step_of(judge->run, at.instance, at.step);
    const swp_role_value *value = &judge->model->values[operand->value];
    const replaced old = replaced_by(judge, value, step->iteration, operand->part);
    swp_role_question q = {judge, SWP_OVERWRITTEN, operand->value, old.version, at, rank};
    const int readers =
        swp_verify_role_holds(judge, SWP_HAPPENS_OVERWRITTEN) ? value->reader_count : 0;
    for (int r = 0; r < readers; r++)
        if (value->readers[r].part == old.part)
            SWP_TRY(swp_verify_role_ask_all(&q, swp_verify_role_is_over, at, value->readers[r].op,
                                            old.version + value->readers[r].distance));
    if (!value->is_read || !swp_verify_role_holds(judge, SWP_HAPPENS_WRITE_RACE))
        return SWP_OK; /* nobody sees which write was last */
    q.kind = SWP_WRITE_RACE;
    return swp_verify_role_ask_all(&q, swp_verify_role_is_over, at, value->made_by[old.part],
                                   old.version);
}

static swp_status check_write(swp_role_judge *judge, swp_happens_at at,
                              const swp_role_operand *operand)
{
    for (int rank = 0; rank < judge->run->program->ranks; rank++)
        if (writes_in(judge, at, rank))
            SWP_TRY(check_write_in(judge, at, operand, rank));
    return SWP_OK;
}

/* --- Fences --- */

static bool is_ordinary(const swp_role_judge *judge, int op)
{
    const swp_completion completion = judge->model->loop->ops[op].completion;
    return completion == SWP_COMPLETION_NONE || completion == SWP_COMPLETION_UNSTATED;
}

static swp_status check_fence_in(swp_role_judge *judge, swp_happens_at at,
                                 const swp_role_operand *operand, int rank)
{
    const swp_happens_step *step = swp_happens_step_of(judge->run, at.instance, at.step);
    const swp_role_value *value = &judge->model->values[operand->value];
    swp_role_question q = {
        judge, SWP_UNFENCED, operand->value, swp_verify_role_version(judge, step, operand),
        at,    rank};
    if (!swp_happens_tracked_by(step)->async_proxy || swp_happens_is_queued(step))
        return SWP_OK;
    if (operand->kind == SWP_ROLE_READS)
        return value->makers > 0 && is_ordinary(judge, value->made_by[operand->part]) &&
                       swp_verify_role_holds(judge, SWP_HAPPENS_FENCED_WRITE)
                   ? swp_verify_role_ask_all(&q, swp_verify_role_is_fenced, at,
                                             value->made_by[operand->part], q.version)
                   : SWP_OK;
    /* It is the only maker, so that what it overwrites was made by no ordinary instructions. */
    if (!judge->run->program->schedule->machine.fence_reads)
        return SWP_OK;
    q.version -= value->slots;
    for (int r = 0; r < value->reader_count; r++)
        if (is_ordinary(judge, value->readers[r].op) &&
            swp_verify_role_holds(judge, SWP_HAPPENS_FENCED_USE))
            SWP_TRY(swp_verify_role_ask_all(&q, swp_verify_role_is_fenced, at, value->readers[r].op,
                                            q.version + value->readers[r].distance));
    return SWP_OK;
}

static swp_status check_fence(swp_role_judge *judge, swp_happens_at at,
                              const swp_role_operand *operand)
{
    for (int rank = 0; rank < judge->run->program->ranks; rank++)
        if (writes_in(judge, at, rank))
            SWP_TRY(check_fence_in(judge, at, operand, rank));
    return SWP_OK;
}

/* --- All --- */

typedef swp_status place_check(swp_role_judge *judge, swp_happens_at at,
                               const swp_role_operand *operand);

static swp_status ask(swp_role_judge *judge, swp_happens_at at, place_check *of_reads,
                      place_check *of_writes)
{
    const swp_happens_step *step = swp_happens_step_of(judge->run, at.instance, at.step);
    const swp_role_op *op =
        step->work ? &judge->model->ops[swp_loop_op_of_tag(step->op->tag)] : NULL;
    for (int t = 0; op && t < op->operand_count; t++) {
        const swp_role_operand *operand = &op->operands[t];
        if (judge->model->values[operand->value].is_shared && swp_verify_role_comes_to(judge, at))
            SWP_TRY((operand->kind == SWP_ROLE_READS ? of_reads : of_writes)(judge, at, operand));
    }
    return SWP_OK;
}

static swp_status ask_order(swp_role_judge *judge, int instance, int step)
{
    return ask(judge, (swp_happens_at){instance, step}, check_read, check_write);
}

/* An op that is done twice, or for no iteration of the run, may want or make what no rule asks for. */
static bool is_odd(const swp_role_judge *judge, swp_happens_at at)
{
    const swp_happens_step *step = swp_happens_step_of(judge->run, at.instance, at.step);
    return step->work &&
           (step->earlier >= 0 || step->iteration < 0 || step->iteration >= judge->run->n);
}

/* Whether anything is to be told. */
static swp_status look(swp_role_judge *judge, int instance, int step)
{
    const swp_happens_at at = {instance, step};
    judge->is_looking = true;
    SWP_TRY(ask(judge, at, check_read, check_write));
    judge->is_looking = false;
    judge->wrong.place |= is_odd(judge, at);
    return SWP_OK;
}

/* Without warp roles. What is told depends on what was told before, so that all of it is asked again. */
static swp_status look_for_wrong(swp_role_judge *judge)
{
    for (int i = 0; i < swp_verify_role_tellers(judge); i++)
        SWP_TRY(swp_verify_role_ask_steps(judge, i, look, NULL));
    if (!judge->wrong.place && !(judge->progress && judge->progress->wrong.place))
        return SWP_OK;
    return swp_verify_role_sight(judge);
}

static swp_status ask_fence(swp_role_judge *judge, int instance, int step)
{
    return ask(judge, (swp_happens_at){instance, step}, check_fence, check_fence);
}

swp_status swp_verify_role_places(swp_role_judge *judge)
{
    if (judge->run->program->is_flat)
        return look_for_wrong(judge);
    for (int i = 0; i < swp_verify_role_tellers(judge); i++)
        SWP_TRY(swp_verify_role_ask_steps(judge, i, ask_order, NULL));
    return SWP_OK;
}

swp_status swp_verify_role_unfenced_places(swp_role_judge *judge)
{
    for (int i = 0; i < swp_verify_role_tellers(judge); i++)
        SWP_TRY(swp_verify_role_ask_steps(judge, i, ask_fence, NULL));
    return SWP_OK;
}
