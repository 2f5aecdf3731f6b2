/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of wgmmas: before which ops a wgmma has to be retired, and before which wgmmas registers need a fence. */
#include "ir/loop_dataflow.h"
#include "sync/roles.h"

typedef enum access_kind { READS, WRITES, UPDATES } access_kind;

/* An op accesses the registers of a version. */
typedef struct access {
    int value;
    int version;
    access_kind kind;
} access;

typedef struct swp_role_register_accesses {
    access *items;
    size_t count;
    size_t capacity;
} accesses;

static swp_status add_access(const swp_roles *r, accesses *list, int value, int version,
                             access_kind kind)
{
    const access made = {value, version, kind};
    return r->loop->values[value].space == SWP_SPACE_REGISTERS ? SWP_PUSH(r->ctx, list, made)
                                                               : SWP_OK;
}

/* Of those that are done as often. */
static bool is_first_maker(const swp_roles *r, int op, int value)
{
    for (int i = 0; i < op; i++)
        if (r->loop->ops[i].clock == r->loop->ops[op].clock &&
            swp_ir_loop_makes(&r->loop->ops[i], value))
            return false;
    return true;
}

/* For iteration 0. The first maker of an iteration takes what it updates from the version before. */
static swp_status list_accesses(const swp_roles *r, int op, accesses *list)
{
    const swp_loop_op *o = &r->loop->ops[op];
    for (size_t i = 0; i < o->read_count; i++)
        SWP_TRY(add_access(r, list, o->reads[i].value, -o->reads[i].distance, READS));
    for (size_t i = 0; i < o->write_count; i++)
        SWP_TRY(add_access(r, list, o->writes[i], 0, WRITES));
    for (size_t i = 0; i < o->update_count; i++) {
        SWP_TRY(add_access(r, list, o->updates[i], 0, UPDATES));
        if (is_first_maker(r, op, o->updates[i]))
            SWP_TRY(add_access(r, list, o->updates[i], -1, UPDATES));
    }
    return SWP_OK;
}

/* What a tile's ops find in the registers of passes is in any slot of them. */
static int slot_of(const swp_roles *r, int op, int value, int version)
{
    if (r->loop->ops[op].clock == SWP_TILE_CLOCK && swp_ir_is_of_passes(r->loop, value))
        return 0;
    const int slots = r->pipeline->slots[value];
    return version - swp_sync_roles_floor(version, slots) * slots;
}

/* --- Retirement --- */

/* Whether the later one may not access the register while the wgmma is in flight. */
static bool conflicts(const access *wgmma, const access *later, bool later_is_wgmma)
{
    if (wgmma->kind == READS)
        return later->kind != READS;
    return later->kind == READS || !later_is_wgmma; /* accumulators of wgmmas are in order */
}

/* The first iteration of an op behind the wgmma's of iteration 0 in which the two conflict; false: none. */
static bool find_conflict(const swp_roles *r, int wgmma, const accesses *own, int op,
                          const accesses *others, int *iteration)
{
    const bool in_order = swp_sync_roles_completion(r, op) == SWP_COMPLETION_MATRIX_GROUP;
    const int issue = swp_sync_roles_before(r, wgmma, 0);
    const int step = swp_sync_roles_step_of(r, wgmma, 0);
    const int from = swp_sync_roles_iteration(r, op, step);
    for (int i = from; i <= from + 2 * SWP_MOST_SLOTS; i++)
        for (size_t a = 0; swp_sync_roles_before(r, op, i) > issue && a < own->count; a++)
            for (size_t b = 0; b < others->count; b++)
                if (own->items[a].value == others->items[b].value &&
                    slot_of(r, wgmma, own->items[a].value, own->items[a].version) ==
                        slot_of(r, op, own->items[a].value, others->items[b].version + i) &&
                    conflicts(&own->items[a], &others->items[b], in_order)) {
                    *iteration = i;
                    return true;
                }
    return false;
}

static bool share_value(const accesses *a, const accesses *b)
{
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < b->count; k++)
            if (a->items[i].value == b->items[k].value)
                return true;
    return false;
}

static swp_status find_needs_of(swp_roles *r, int wgmma)
{
    const accesses *all = r->accesses;
    swp_role_plan *plan = &r->plans[r->loop->ops[wgmma].role];
    for (int i = 0; i < plan->count; i++) {
        const int op = plan->ops[i];
        int iteration = 0;
        if (!share_value(&all[wgmma], &all[op]) ||
            !find_conflict(r, wgmma, &all[wgmma], op, &all[op], &iteration))
            continue;
        const swp_role_need need = {.point = swp_sync_roles_before(r, op, 0),
                                    .target = r->position[wgmma],
                                    .shift = -iteration,
                                    .given_back = -1};
        SWP_TRY(SWP_PUSH(r->ctx, &plan->needs, need));
    }
    return SWP_OK;
}

static bool is_wgmma(const swp_roles *r, int op)
{
    return swp_sync_roles_completion(r, op) == SWP_COMPLETION_MATRIX_GROUP;
}

swp_status swp_sync_roles_find_register_needs(swp_roles *r)
{
    SWP_TRY(SWP_TAKE(r->ctx, r->loop->op_count, &r->accesses));
    for (int i = 0; i < (int)r->loop->op_count; i++)
        SWP_TRY(list_accesses(r, i, &r->accesses[i]));
    for (int i = 0; i < (int)r->loop->op_count; i++)
        if (is_wgmma(r, i))
            SWP_TRY(find_needs_of(r, i));
    return SWP_OK;
}

/* --- Fences --- */

swp_status swp_sync_roles_registers_new(const swp_roles *r, bool unfenced, swp_role_registers *out)
{
    SWP_TRY(SWP_TAKE(r->ctx, r->loop->value_count, &out->unfenced));
    for (size_t v = 0; v < r->loop->value_count; v++)
        for (int slot = 0; slot < SWP_MOST_SLOTS; slot++)
            out->unfenced[v][slot] = unfenced;
    out->accessed = false;
    return SWP_OK;
}

bool swp_sync_roles_needs_fence(const swp_roles *r, const swp_role_registers *file, int op,
                                int iteration)
{
    const accesses *list = &r->accesses[op];
    for (size_t i = 0; is_wgmma(r, op) && i < list->count; i++) {
        const access *t = &list->items[i];
        if (file->unfenced[t->value][slot_of(r, op, t->value, t->version + iteration)])
            return true;
    }
    return false;
}

/*
 * Those of one op alone, although a fence orders what was done with any register: ptxas 13.0 moves arithmetic on the registers
 * of a later wgmma beyond the fence, and then puts one of its own in, or makes all wgmmas of the kernel wait (C7520).
 */
void swp_sync_roles_fence(const swp_roles *r, swp_role_registers *file, int op, int iteration)
{
    const accesses *list = &r->accesses[op];
    for (size_t i = 0; i < list->count; i++) {
        const access *t = &list->items[i];
        file->unfenced[t->value][slot_of(r, op, t->value, t->version + iteration)] = false;
    }
    file->accessed = false;
}

void swp_sync_roles_access_registers(const swp_roles *r, swp_role_registers *file, int op,
                                     int iteration)
{
    const accesses *list = &r->accesses[op];
    const bool wgmma = is_wgmma(r, op);
    for (size_t i = 0; i < list->count; i++) {
        const access *t = &list->items[i];
        file->unfenced[t->value][slot_of(r, op, t->value, t->version + iteration)] = !wgmma;
        file->accessed |= !wgmma;
    }
}

/* Whether an op of the steady state needs a fence that was not known. */
static bool find_fence(const swp_roles *r, swp_role_plan *plan, int position, int step,
                       swp_role_registers *file)
{
    const int op = plan->ops[position];
    const int iteration = swp_sync_roles_iteration(r, op, step);
    const bool found =
        !plan->fences[position] && swp_sync_roles_needs_fence(r, file, op, iteration);
    plan->fences[position] |= found;
    if (plan->fences[position])
        swp_sync_roles_fence(r, file, op, iteration);
    swp_sync_roles_access_registers(r, file, op, iteration);
    return found;
}

/* All slots have come round once, from any beginning. */
static int steps_of(const swp_roles *r)
{
    return 2 * (r->unroll + r->least + SWP_MOST_SLOTS);
}

/* In its first tile a thread has accessed no register. */
static void fence_first_of_tiles(swp_roles *r)
{
    for (int i = 0; i < r->plan_count; i++) {
        swp_role_plan *plan = &r->plans[i];
        int first = 0;
        while (first < plan->count && !is_wgmma(r, plan->ops[first]))
            first++;
        if (plan->of_tiles && first < plan->count)
            plan->fences[first] = true;
    }
}

swp_status swp_sync_roles_find_fences(swp_roles *r)
{
    swp_role_registers file;
    fence_first_of_tiles(r);
    for (int role = 0; role < r->plan_count; role++)
        for (bool found = true; found;) {
            found = false;
            SWP_TRY(swp_sync_roles_registers_new(r, false, &file));
            for (int step = 0; step < steps_of(r); step++)
                for (int i = 0; i < r->plans[role].count; i++)
                    found |= find_fence(r, &r->plans[role], i, step, &file);
        }
    return SWP_OK;
}
