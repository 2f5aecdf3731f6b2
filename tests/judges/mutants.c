/* SPDX-License-Identifier: Apache-2.0 */
#include "mutants.h"

#include "ops.h"

#include <stdlib.h>

typedef struct visitor {
    const swp_schedule *base;
    void (*visit)(const mutant *m, void *user);
    void *user;
} visitor;

const char *mutant_kind_name(mutant_kind kind)
{
#define NAME(constant, name, heading) name,
    static const char *const names[] = {MUTANT_KINDS_TABLE(NAME)};
#undef NAME
    return names[kind];
}

const char *mutant_kind_heading(mutant_kind kind)
{
#define HEADING(constant, name, heading) heading,
    static const char *const headings[] = {MUTANT_KINDS_TABLE(HEADING)};
#undef HEADING
    return headings[kind];
}

int mutant_base_entry(const mutant *m, swp_phase phase, int entry, const swp_schedule *base)
{
    if (phase != m->phase)
        return entry;
    return entry < m->count ? m->order[entry] : (int)swp_schedule_phase(base, phase)->count;
}

/* --- One mutant: a phase in another order, or with another op --- */

static mutant unchanged(const visitor *v, mutant_kind kind, swp_phase phase, int entry)
{
    mutant m = {.kind = kind, .phase = phase, .entry = entry};
    m.count = (int)swp_schedule_phase(v->base, phase)->count;
    if (m.count > MUTANT_MOST_ENTRIES)
        abort();
    for (int i = 0; i < m.count; i++)
        m.order[i] = i;
    return m;
}

static void move(mutant *m, int from, int to)
{
    const int moved = m->order[from];
    const int step = from < to ? 1 : -1;
    for (int i = from; i != to; i += step)
        m->order[i] = m->order[i + step];
    m->order[to] = moved;
}

/* Gives the entry `op`, unless that is NULL, and shows the result unless nothing has changed. */
static void show(const visitor *v, mutant *m, const swp_op *op)
{
    const swp_entry_list *from = swp_schedule_phase(v->base, m->phase);
    m->program = program_copy(v->base);
    swp_entry_list *to = program_phase(&m->program, m->phase);
    bool changed = op != NULL || m->count != (int)from->count;
    for (int i = 0; i < m->count; i++) {
        to->items[i].op = from->items[m->order[i]].op;
        changed |= !same_op(&to->items[i].op, &from->items[i].op);
        if (op && m->order[i] == m->entry)
            to->items[i].op = *op;
    }
    to->count = (size_t)m->count;
    swp_machine *machine = &m->program.schedule.machine;
    if (to->count < from->count && m->phase == SWP_PROLOGUE &&
        m->entry < machine->lag_prologue_index)
        machine->lag_prologue_index--; /* it stays before the same entry */
    if (changed)
        v->visit(m, v->user);
    program_free(&m->program);
}

static void visit_deleted(const visitor *v, mutant_kind kind, swp_phase phase, int entry)
{
    mutant m = unchanged(v, kind, phase, entry);
    move(&m, entry, m.count - 1);
    m.count--;
    show(v, &m, NULL);
}

static void visit_moved(const visitor *v, mutant_kind kind, swp_phase phase, int from, int to)
{
    mutant m = unchanged(v, kind, phase, from);
    (void)snprintf(m.change, sizeof m.change, "to %d", to);
    move(&m, from, to);
    show(v, &m, NULL);
}

static void visit_changed(const visitor *v, mutant_kind kind, swp_phase phase, int entry,
                          const swp_op *op, const char *change)
{
    mutant m = unchanged(v, kind, phase, entry);
    (void)snprintf(m.change, sizeof m.change, "%s", change);
    show(v, &m, op);
}

/* --- All mutants of an entry --- */

static bool is_barrier(const swp_op *op)
{
    return op->tag == SWP_TAG_BARRIER;
}

static bool is_wait(const swp_op *op)
{
    return op->tag == SWP_TAG_WAIT_VM || op->tag == SWP_TAG_WAIT_LGKM;
}

static bool is_compute(const swp_op *op)
{
    return op->role == SWP_COMPUTE;
}

static bool is_other_access(const swp_op *op)
{
    return op->role == SWP_FRAGMENT_LOAD || op->role == SWP_SHARED_STORE;
}

static void visit_sync(const visitor *v, swp_phase phase, int entry, swp_op op)
{
    if (is_barrier(&op)) {
        visit_deleted(v, MUTANT_DELETE_BARRIER, phase, entry);
    } else if (is_wait(&op)) {
        char change[64];
        visit_deleted(v, MUTANT_DELETE_WAIT, phase, entry);
        op.wait_value++;
        (void)snprintf(change, sizeof change, "to %d", op.wait_value);
        visit_changed(v, MUTANT_WEAKEN_WAIT, phase, entry, &op, change);
    }
}

/* The nearest entry of a sort before (step -1) or after `entry`; -1: none. */
static int nearest(const swp_entry_list *entries, int entry, int step,
                   bool (*fits)(const swp_op *op))
{
    for (int i = entry + step; i >= 0 && i < (int)entries->count; i += step)
        if (fits(&entries->items[i].op))
            return i;
    return -1;
}

static void visit_moves(const visitor *v, mutant_kind kind, swp_phase phase, int entry)
{
    const swp_entry_list *entries = swp_schedule_phase(v->base, phase);
    for (int step = -1; step <= 1; step += 2) {
        const int barrier = nearest(entries, entry, step, is_barrier);
        const int compute = nearest(entries, entry, step, is_compute);
        if (barrier >= 0)
            visit_moved(v, kind, phase, entry, barrier);
        if (compute >= 0)
            visit_moved(v, kind, phase, entry, compute);
    }
}

/* Stages of LDS; rows of a COMPUTE. */
static int stages(const visitor *v, const swp_op *op)
{
    int count = 0;
    if (is_compute(op))
        return v->base->loop.m_mmas;
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        const swp_entry_list *entries = swp_schedule_phase(v->base, phase);
        for (size_t i = 0; i < entries->count; i++)
            if (swp_role_has_stage(entries->items[i].op.role) &&
                entries->items[i].op.stage >= count)
                count = entries->items[i].op.stage + 1;
    }
    return count;
}

static void visit_stages(const visitor *v, swp_phase phase, int entry, swp_op op)
{
    const int old = op.stage;
    const int count = stages(v, &op);
    for (op.stage = 0; op.stage < count; op.stage++) {
        char change[64];
        (void)snprintf(change, sizeof change, "from %d to %d", old, op.stage);
        if (op.stage != old)
            visit_changed(v, MUTANT_STAGE, phase, entry, &op, change);
    }
}

static void visit_k_offsets(const visitor *v, swp_phase phase, int entry, swp_op op)
{
    static const swp_k_offset all[] = {SWP_K0, SWP_K1, SWP_K_NEXT, SWP_K_PREV, SWP_K_NONE};
    const swp_k_offset old = op.k_offset;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        char change[64];
        op.k_offset = all[i];
        (void)snprintf(change, sizeof change, "from %s to %s", swp_k_offset_name(old),
                       swp_k_offset_name(all[i]));
        if (op.k_offset != old)
            visit_changed(v, MUTANT_K_OFFSET, phase, entry, &op, change);
    }
}

static void visit_entry(const visitor *v, swp_phase phase, int entry)
{
    const swp_entry_list *entries = swp_schedule_phase(v->base, phase);
    const swp_op op = entries->items[entry].op;
    const bool by_k_offset = v->base->loop.placement == SWP_PLACE_K_OFFSET;
    visit_sync(v, phase, entry, op);
    if (entry + 1 < (int)entries->count)
        visit_moved(v, MUTANT_SWAP, phase, entry, entry + 1);
    if (op.role == SWP_GLOBAL_LOAD)
        visit_moves(v, MUTANT_MOVE_LOAD, phase, entry);
    if (is_other_access(&op))
        visit_moves(v, MUTANT_MOVE_OTHER, phase, entry);
    if (by_k_offset && (is_compute(&op) || op.role == SWP_GLOBAL_LOAD || is_other_access(&op)))
        visit_stages(v, phase, entry, op);
    if (by_k_offset && op.role == SWP_GLOBAL_LOAD)
        visit_k_offsets(v, phase, entry, op);
}

void mutants_visit(const swp_schedule *base, void (*visit)(const mutant *m, void *user), void *user)
{
    const visitor v = {base, visit, user};
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        for (int i = 0; i < (int)swp_schedule_phase(base, phase)->count; i++)
            visit_entry(&v, phase, i);
}
