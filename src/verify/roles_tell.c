/* SPDX-License-Identifier: Apache-2.0 */
/* Tells hazards of warp roles: each kind, role, list and entry once, in words. */
#include "ir/hazard_words.h"
#include "ir/implied_barriers.h"
#include "ir/loop_dataflow.h"
#include "verify/roles_prove.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const swp_happens_instance *instance_of(const swp_role_judge *judge, int instance)
{
    return &judge->run->program->instances[instance];
}

static const swp_stream *stream_of(const swp_role_judge *judge, int instance)
{
    return &judge->model->schedule->streams[instance_of(judge, instance)->stream];
}

/* --- Names --- */

const char *swp_verify_role_rank_name(const swp_role_judge *judge, int rank,
                                      char name[SWP_ROLE_NAME_SIZE])
{
    name[0] = '\0';
    if (judge->run->program->ranks > 1)
        (void)snprintf(name, SWP_ROLE_NAME_SIZE, " of rank %d", rank);
    return name;
}

/* Of which rank goes without saying. */
static void name_of_own_phase(const swp_role_judge *judge, int object, int64_t turn,
                              char name[SWP_ROLE_NAME_SIZE])
{
    const swp_role_object *of = &judge->model->schedule->objects[object];
    (void)snprintf(name, SWP_ROLE_NAME_SIZE, "phase %" PRId64 " of slot %" PRId64 " of %.40s",
                   swp_happens_quotient(turn, of->slots), swp_happens_rest(turn, of->slots),
                   of->name);
}

const char *swp_verify_role_phase_name(const swp_role_judge *judge, int rank, int object,
                                       int64_t turn, char name[SWP_ROLE_NAME_SIZE])
{
    char own[SWP_ROLE_NAME_SIZE];
    char of_rank[SWP_ROLE_NAME_SIZE];
    name_of_own_phase(judge, object, turn, own);
    (void)snprintf(name, SWP_ROLE_NAME_SIZE, "%.130s%.20s", own,
                   swp_verify_role_rank_name(judge, rank, of_rank));
    return name;
}

static void name_of_operation(const swp_role_judge *judge, const swp_happens_step *step,
                              char name[SWP_ROLE_NAME_SIZE])
{
    const char *op = swp_schedule_op_name(judge->model->schedule, step->op->tag);
    char phase[SWP_ROLE_NAME_SIZE];
    const int64_t local = step->iteration - step->base;
    if (step->work && step->work->clock == SWP_TILE_CLOCK)
        (void)snprintf(name, SWP_ROLE_NAME_SIZE, "%.40s of tile %" PRId64, op, step->iteration);
    else if (step->work && judge->run->tiles)
        (void)snprintf(name, SWP_ROLE_NAME_SIZE, "%.40s of iteration %" PRId64 " of tile %d", op,
                       local, step->tile);
    else if (step->work)
        (void)snprintf(name, SWP_ROLE_NAME_SIZE, "%.40s of iteration %" PRId64, op,
                       step->iteration);
    else if (step->phase >= 0) {
        name_of_own_phase(judge, step->op->object, step->iteration, phase);
        (void)snprintf(name, SWP_ROLE_NAME_SIZE, "%.40s for %.100s", op, phase);
    } else if (step->barrier >= 0 && step->op->object >= 0)
        (void)snprintf(name, SWP_ROLE_NAME_SIZE, "%.40s of meeting %d of slot %d of %.40s", op,
                       step->meeting, judge->run->barriers[step->barrier].slot,
                       judge->model->schedule->objects[step->op->object].name);
    else
        (void)snprintf(name, SWP_ROLE_NAME_SIZE, "%.40s", op);
}

const char *swp_verify_role_name(const swp_role_judge *judge, swp_happens_at at,
                                 char name[SWP_ROLE_NAME_SIZE])
{
    const swp_stream *stream = stream_of(judge, at.instance);
    const swp_happens_instance *in = instance_of(judge, at.instance);
    char operation[SWP_ROLE_NAME_SIZE];
    char of_rank[SWP_ROLE_NAME_SIZE];
    name_of_operation(judge, swp_happens_step_of(judge->run, at.instance, at.step), operation);
    (void)swp_verify_role_rank_name(judge, in->rank, of_rank);
    if (stream->instances > 1)
        (void)snprintf(name, SWP_ROLE_NAME_SIZE, "%.120s in %.40s %d%.16s", operation, stream->name,
                       in->number, of_rank);
    else
        (void)snprintf(name, SWP_ROLE_NAME_SIZE, "%.120s in %.40s%.16s", operation, stream->name,
                       of_rank);
    return name;
}

/* --- Hints --- */

static const char *const hints[SWP_HAZARD_KINDS] = {
    [SWP_ARRIVALS] = "let as many threads arrive in each phase as the object expects, with the "
                     "bytes of its copies, and each after a wait for the phase before",
    [SWP_NAMED_BARRIER] = "let `threads` be those of all participants, and let each wait for a "
                          "meeting before its part in the next",
    [SWP_PHASE_ALIAS] = "a wait must follow one for the phase before, and come before what "
                        "completes the phase after",
    [SWP_UNOBSERVED_PHASE] = "wait for the phase before in front of the arrival",
    [SWP_DEADLOCK] = "let somebody who does not wait for it do what it waits for",
    [SWP_LOST_PEER] = "wait for it before the end",
    [SWP_UNFENCED] = "put fence_async behind the ordinary instruction, in front of what orders the "
                     "two; of registers, matrix_fence in front of the matrix operation",
    [SWP_ACCUMULATOR_IN_FLIGHT] = "put a matrix_wait that retires the matrix operation in between",
    [SWP_STALE_READ] = "wait for what brings the version before it is read",
    [SWP_OVERWRITTEN] = "wait for the readers of the version that is replaced",
    [SWP_WRITE_RACE] = "wait for the write of the version that is replaced",
    [SWP_WRONG_TILE] = "let the version be made before, in a slot that keeps it so long",
    [SWP_MISSING_WORK] = "add the missing op",
    [SWP_DOUBLE_WORK] = "take one of the two out",
    [SWP_COUNTER] = "wait for older accesses before",
    [SWP_OUT_OF_RANGE] = "take the op out, or correct its iteration",
};

/* --- Hazards --- */

/* The prologue counts as the pass before the first, the epilogue as the one after the last. */
static int pass_of(const swp_happens_step *step)
{
    return step->first_pass +
           (step->list == SWP_PROLOGUE || step->list == SWP_BEGIN ? -1 : step->pass);
}

/* It is that of the form that runs. */
static const swp_entry_list *list_of(const swp_role_judge *judge, int instance, swp_phase list)
{
    const swp_schedule *schedule = judge->run->program->schedule;
    return swp_stream_phase(&schedule->streams[instance_of(judge, instance)->stream], list);
}

/* Its number in published lists. */
static swp_entry_ref entry_of(const swp_role_judge *judge, int instance,
                              const swp_happens_step *step)
{
    const swp_entry_list *list = list_of(judge, instance, step->list);
    int implied = 0;
    for (int i = 0; judge->run->program->is_flat && i < step->entry; i++)
        implied += swp_ir_is_implied(&list->items[i].op);
    return (swp_entry_ref){step->list, step->entry - implied};
}

/* A barrier that published lists leave out goes by the name of what stands behind it. */
static const char *name_of(const swp_role_judge *judge, int instance, const swp_happens_step *step)
{
    if (!judge->run->program->is_flat)
        return swp_schedule_op_name(judge->model->schedule, step->op->tag);
    const swp_entry_list *list = list_of(judge, instance, step->list);
    size_t entry = (size_t)step->entry;
    while (entry < list->count && swp_ir_is_implied(&list->items[entry].op))
        entry++;
    return entry < list->count
               ? swp_schedule_op_name(judge->model->schedule, list->items[entry].op.tag)
               : "end";
}

static void set_object(const swp_role_judge *judge, swp_hazard *hazard,
                       const swp_happens_step *step)
{
    if (step->op->object < 0)
        return;
    const swp_role_object *object = &judge->model->schedule->objects[step->op->object];
    hazard->object = object->name;
    hazard->has_phase = step->phase >= 0;
    if (hazard->has_phase)
        hazard->mbarrier_phase = (int)swp_happens_quotient(step->iteration, object->slots);
}

static void set_other(const swp_role_judge *judge, swp_hazard *hazard, int pass,
                      swp_happens_at other)
{
    if (other.step < 0)
        return;
    const swp_happens_step *step = swp_happens_step_of(judge->run, other.instance, other.step);
    hazard->has_other = true;
    hazard->other = entry_of(judge, other.instance, step);
    hazard->passes_before = pass - pass_of(step);
    if (judge->run->program->is_flat)
        return;
    hazard->other_tile = step->tile;
    hazard->other_stream = instance_of(judge, other.instance)->stream;
    hazard->other_role = stream_of(judge, other.instance)->name;
    hazard->other_instance = instance_of(judge, other.instance)->number;
    hazard->other_rank = instance_of(judge, other.instance)->rank;
}

/* Whether a hazard is told of a smaller run: of fewer tiles, fewer iterations, the first sequence in lexical order. */
static bool is_smaller(const swp_happens_run *run, const swp_hazard *new, const swp_hazard *told)
{
    const swp_happens_sequence *sequence = run->sequence;
    if (run->tiles && sequence->count != told->tile_count)
        return sequence->count < told->tile_count;
    if (!run->tiles || new->smallest_n != told->smallest_n)
        return new->smallest_n < told->smallest_n;
    for (int t = 0; t < sequence->count; t++)
        if (sequence->n[t] != told->tiles[t])
            return sequence->n[t] < told->tiles[t];
    return false;
}

/* Prologue and kernel are those of all forms. */
static swp_status note(swp_role_judge *judge, const swp_hazard *hazard, int form, swp_hazard **out)
{
    const int key[] = {(int)hazard->kind, hazard->stream, (int)hazard->at.phase,
                       hazard->at.phase == SWP_EPILOGUE ? form : 0, hazard->at.entry + 1};
    const int next = (int)judge->told->count;
    int number = 0;
    *out = NULL;
    if (!swp_verify_is_accepted(&judge->accepted, hazard->kind, hazard->role, hazard->at)) {
        judge->found = true;
        if (judge->progress && judge->is_settled)
            judge->progress->judged[judge->rule].found = true;
    }
    SWP_TRY(swp_key_index_number(judge->ctx, judge->known, key, sizeof key, next, &number));
    if (number < next && !is_smaller(judge->run, hazard, &judge->told->items[number]))
        return SWP_OK;
    if (number == next)
        SWP_TRY(SWP_PUSH(judge->ctx, judge->told, *hazard));
    judge->told->items[number] = *hazard;
    *out = &judge->told->items[number];
    if (!judge->run->tiles)
        return SWP_OK;
    int *tiles = NULL; /* that the hazard keeps */
    const swp_happens_sequence *sequence = judge->run->sequence;
    SWP_TRY(SWP_TAKE(judge->ctx, (size_t)sequence->count + 1, &tiles));
    for (int t = 0; t < sequence->count; t++)
        tiles[t] = sequence->n[t];
    (*out)->tiles = tiles;
    (*out)->tile_count = sequence->count;
    return SWP_OK;
}

static swp_hazard hazard_of(const swp_role_judge *judge, swp_hazard_kind kind, int instance)
{
    if (judge->run->program->is_flat)
        return (swp_hazard){.kind = kind,
                            .smallest_n = (int)judge->run->n,
                            .detail = "",
                            .hint = swp_ir_hazard_hint(kind, true)};
    return (swp_hazard){.kind = kind,
                        .stream = instance_of(judge, instance)->stream,
                        .role = stream_of(judge, instance)->name,
                        .instance = instance_of(judge, instance)->number,
                        .is_in_cluster = judge->run->program->ranks > 1,
                        .rank = instance_of(judge, instance)->rank,
                        .smallest_n = (int)judge->run->n,
                        .detail = "",
                        .hint = hints[kind]};
}

static swp_status tell(swp_role_judge *judge, swp_hazard_kind kind, swp_happens_at at,
                       swp_happens_at other, int n, swp_hazard **out)
{
    const swp_happens_step *step = swp_happens_step_of(judge->run, at.instance, at.step);
    swp_hazard hazard = hazard_of(judge, kind, at.instance);
    *out = NULL;
    if (judge->is_looking) {
        judge->wrong.place = true;
        if (judge->progress && judge->is_settled)
            judge->progress->wrong.place = true;
        return SWP_OK;
    }
    hazard.smallest_n = n;
    hazard.at = entry_of(judge, at.instance, step);
    hazard.name = name_of(judge, at.instance, step);
    set_object(judge, &hazard, step);
    set_other(judge, &hazard, pass_of(step), other);
    hazard.tile = step->tile;
    return note(judge, &hazard, judge->run->tiles ? step->form : judge->form, out);
}

swp_status swp_verify_role_tell(swp_role_judge *judge, swp_hazard_kind kind, swp_happens_at at,
                                swp_happens_at other, swp_hazard **out)
{
    return tell(judge, kind, at, other, (int)judge->run->n, out);
}

swp_status swp_verify_role_tell_of(swp_role_judge *judge, swp_hazard_kind kind, swp_happens_at at,
                                   int n, swp_hazard **out)
{
    return tell(judge, kind, at, (swp_happens_at){-1, -1}, n, out);
}

swp_status swp_verify_role_tell_entry(swp_role_judge *judge, swp_hazard_kind kind, int instance,
                                      int tile, swp_entry_ref at, const char *name,
                                      swp_hazard **out)
{
    const swp_happens_run *run = judge->run;
    const int form = run->tiles ? swp_schedule_form_of(run->tiles->schedule, run->sequence->n[tile])
                                : judge->form;
    swp_hazard hazard = hazard_of(judge, kind, instance);
    hazard.at = at;
    hazard.name = name;
    hazard.tile = tile;
    return note(judge, &hazard, form, out);
}

void swp_verify_role_set_place(const swp_role_judge *judge, swp_hazard *hazard, int value,
                               int64_t version)
{
    const swp_role_model *m = judge->model;
    hazard->site = m->values[value].is_shared ? SWP_SITE_LDS : SWP_SITE_REGISTER;
    hazard->value = m->loop->values[value].name;
    hazard->slot = (int)swp_happens_rest(version, m->values[value].slots);
}

/* --- Order --- */

static int compare(const void *a, const void *b)
{
    const swp_hazard *x = a;
    const swp_hazard *y = b;
    const int keys[][2] = {{x->stream, y->stream},
                           {swp_happens_list_rank(x->at.phase), swp_happens_list_rank(y->at.phase)},
                           {x->at.entry, y->at.entry},
                           {(int)x->kind, (int)y->kind},
                           {x->smallest_n, y->smallest_n}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

void swp_verify_role_sort(swp_hazard_list *hazards)
{
    if (hazards->count > 0)
        qsort(hazards->items, hazards->count, sizeof *hazards->items, compare);
}
