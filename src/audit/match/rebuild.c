/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Translation of code back into a schedule: an entry for each instruction, once for each question that
 * the proof is asked. Accesses that are no entry's become fillers, which only count.
 */
#include "audit/match/rebuild.h"

#include "audit/match/entry_insn.h"
#include "base/diag.h"

/* Places and registers that only an entry which counts as an access has. */
enum { FILLER_CHANNEL = 1000 };

typedef struct step {
    swp_op op;
    int item;
    int entry; /* of the schedule; -1: a filler, a wait or a barrier */
    swp_insn_kind kind;
} step;

typedef struct step_list {
    step *items;
    size_t count;
    size_t capacity;
} step_list;

typedef struct builder {
    swp_attribution *a;
    const swp_walk *walk;
    swp_rebuild_view view;
    swp_phase phase;
    step_list steps;
    int fillers;
} builder;

static swp_status push(builder *b, step added)
{
    step_list *steps = &b->steps;
    return SWP_PUSH(b->a->ctx, steps, added);
}

static swp_insn_kind access_counted_by(int counter)
{
    return counter == SWP_AUDIT_VM ? SWP_INSN_LOAD_TO_LDS : SWP_INSN_LDS_READ;
}

static void set_accesses(swp_op *op, int counter, int accesses)
{
    op->vm_cost = counter == SWP_AUDIT_VM ? accesses : 0;
    op->lgkm_cost = counter == SWP_AUDIT_LGKM ? accesses : 0;
}

/* An access that only counts: of a tile that exists, to a place of its own. */
static swp_status push_filler(builder *b, int counter, int item)
{
    const bool first = b->phase == SWP_PROLOGUE ||
                       (b->phase == SWP_KERNEL && b->a->schedule->loop.first_base == 0);
    swp_op op = swp_op_logical(0, FILLER_CHANNEL, 0, b->fillers++, first ? SWP_K0 : SWP_K_PREV);
    op.role = counter == SWP_AUDIT_VM ? SWP_GLOBAL_LOAD : SWP_FRAGMENT_LOAD;
    op.resource = swp_role_resource(op.role);
    set_accesses(&op, counter, 1);
    return push(b, (step){op, item, -1, access_counted_by(counter)});
}

/* --- entries of several instructions --- */

/* Whether this is the instruction at which the entry stands in this view. */
static bool stands_here(const builder *b, int index, int counter)
{
    const bool late = (counter == SWP_AUDIT_VM && b->view == SWP_VIEW_ARRIVALS) ||
                      (counter == SWP_AUDIT_LGKM && b->view == SWP_VIEW_OVERWRITES);
    return late ? swp_match_item_is_last_part(b->a, index)
                : swp_match_item_is_first_part(b->a, index);
}

/* The cycle model charges for entries, so there all parts are one; elsewhere the others are fillers. */
static swp_status push_access(builder *b, int index)
{
    const int counter = swp_match_entry_counter(swp_match_item_effect(b->a, index));
    const bool whole = b->view == SWP_VIEW_CYCLES;
    step added = {swp_match_item_entry(b->a, index)->op, index, b->a->entry_of[index],
                  access_counted_by(counter)};
    if (!stands_here(b, index, counter))
        return whole ? SWP_OK : push_filler(b, counter, index);
    set_accesses(&added.op, counter, whole ? swp_match_item_parts(b->a, index) : 1);
    return push(b, added);
}

/* --- waits and barriers --- */

static swp_status push_wait(builder *b, int index, const swp_insn *insn)
{
    for (int c = 0; c < SWP_AUDIT_COUNTERS; c++) {
        const int count = insn->waits[c];
        if (count == SWP_NO_WAIT || count >= b->walk->path->flow->code->counter_max[c])
            continue;
        const swp_op op = c == SWP_AUDIT_VM ? swp_op_wait_vm(count) : swp_op_wait_lgkm(count);
        SWP_TRY(push(b, (step){op, index, -1, SWP_INSN_WAIT}));
    }
    return SWP_OK;
}

/* Accesses that are none of the schedule's. */
static swp_status push_unscheduled(builder *b, int index, const swp_insn *insn)
{
    const swp_insn_traits *traits = swp_code_insn_traits_of(insn->kind);
    if (traits->writes_lds || traits->reads_lds)
        return swp_match_obstacle_add(b->a, insn->line ? b->walk->list.items[index].insn : -1,
                                      "accesses LDS, and is no entry of the schedule");
    /* What retires out of order pushes nothing out, and needs no place in the order. */
    for (int c = 0; c < SWP_AUDIT_COUNTERS; c++)
        if (traits->counted[c] && traits->in_order && b->view != SWP_VIEW_CYCLES)
            SWP_TRY(push_filler(b, c, index));
    return SWP_OK;
}

static step compute_of(const builder *b, int index)
{
    return (step){swp_match_item_entry(b->a, index)->op, index, b->a->entry_of[index],
                  SWP_INSN_MATRIX};
}

static swp_status push_item(builder *b, int index)
{
    const swp_insn *insn = swp_match_item_insn(b->walk, &b->walk->list.items[index]);
    switch (insn->kind) {
    case SWP_INSN_WAIT:
        return push_wait(b, index, insn);
    case SWP_INSN_BARRIER:
        return push(b, (step){swp_op_barrier(), index, -1, SWP_INSN_BARRIER});
    case SWP_INSN_MATRIX:
        return b->view == SWP_VIEW_CYCLES && swp_match_item_is_first_part(b->a, index)
                   ? push(b, compute_of(b, index))
                   : SWP_OK;
    default:
        return b->a->entry_of[index] >= 0 ? push_access(b, index)
                                          : push_unscheduled(b, index, insn);
    }
}

/* --- MMAs --- */

/* Behind the read of a fragment that a COMPUTE multiplies; 0: it is read before this phase. */
static size_t after_fragment(const builder *b, int compute, int fragment)
{
    int entry = compute - 1;
    while (entry >= 0 &&
           !swp_match_entry_writes_register(&b->a->effects->entries[b->phase][entry], fragment))
        entry--;
    for (size_t i = 0; entry >= 0 && i < b->steps.count; i++)
        if (b->steps.items[i].entry == entry)
            return i + 1;
    return 0;
}

static swp_status insert(builder *b, size_t at, step added)
{
    SWP_TRY(push(b, added));
    for (size_t i = b->steps.count - 1; i > at; i--)
        b->steps.items[i] = b->steps.items[i - 1];
    b->steps.items[at] = added;
    return SWP_OK;
}

static int first_mma(const builder *b, int entry)
{
    for (int i = b->walk->first[b->phase][0]; i < b->walk->end[b->phase][0]; i++)
        if (b->a->entry_of[i] == entry)
            return i;
    return -1;
}

/*
 * Registers are judged one by one elsewhere: what an MMA multiplies is known. Here it only says
 * which fragments are looked at, and for which tile, so it stands as soon as both are read.
 */
static swp_status insert_mmas(builder *b)
{
    for (int e = 0; e < b->a->effects->lengths[b->phase]; e++) {
        const swp_effect *effect = &b->a->effects->entries[b->phase][e];
        const int item = swp_match_entry_insn(effect) == SWP_INSN_MATRIX ? first_mma(b, e) : -1;
        if (item < 0)
            continue;
        size_t at = after_fragment(b, e, effect->reads.items[0].where);
        const size_t other = after_fragment(b, e, effect->reads.items[1].where);
        at = other > at ? other : at;
        /* Those that are there already keep their order. */
        while (at < b->steps.count && b->steps.items[at].kind == SWP_INSN_MATRIX)
            at++;
        SWP_TRY(insert(b, at, compute_of(b, item)));
    }
    return SWP_OK;
}

/* --- phases --- */

static swp_status fill_phase(builder *b, swp_rebuilt *out, swp_entry_list *list)
{
    *list = (swp_entry_list){0};
    SWP_TRY(SWP_TAKE(b->a->ctx, b->steps.count, &out->items[b->phase]));
    for (size_t i = 0; i < b->steps.count; i++) {
        const swp_entry entry = {
            .op = b->steps.items[i].op, .time_slot = (int)i, .phase = b->phase};
        out->items[b->phase][i] = b->steps.items[i].item;
        SWP_TRY(swp_entry_list_push(b->a->ctx, list, entry));
    }
    return SWP_OK;
}

/* Entries before the barrier that group 1 alone executes. */
static int lag_index(const builder *b)
{
    const swp_path *path = b->walk->path;
    const swp_path_phase *code = &path->phases[SWP_PROLOGUE];
    const size_t position = path->lag_position[SWP_PROLOGUE];
    int index = 0;
    for (size_t i = 0; i < b->steps.count; i++) {
        const int item = b->steps.items[i].item;
        bool before = false;
        for (size_t w = 0; w < position && item >= 0; w++)
            before |= code->items[w] == b->walk->list.items[item].insn;
        index = before ? (int)i + 1 : index;
    }
    return index;
}

static swp_status set_phase(builder *b, swp_phase phase, swp_rebuilt *out, swp_entry_list *list)
{
    b->phase = phase;
    b->steps = (step_list){0};
    for (int i = b->walk->first[phase][0]; i < b->walk->end[phase][0]; i++)
        SWP_TRY(push_item(b, i));
    if (b->view != SWP_VIEW_CYCLES)
        SWP_TRY(insert_mmas(b));
    if (phase == SWP_PROLOGUE)
        out->schedule.machine.lag_prologue_index = lag_index(b);
    return fill_phase(b, out, list);
}

/* Which waves lag must be the schedule's second group, or none. */
static swp_status set_machine(builder *b, const swp_lag *lag, swp_machine *machine)
{
    const swp_path *path = b->walk->path;
    const int waves = swp_flow_function_waves(path->flow->function);
    bool lags = false;
    bool grouped = true;
    machine->barrier = SWP_BARRIER_RAW;
    machine->registers = SWP_REGISTERS_RAW;
    machine->counter_full = SWP_COUNTER_STALLS;
    machine->vm_max = path->flow->code->counter_max[SWP_AUDIT_VM];
    machine->lgkm_max = path->flow->code->counter_max[SWP_AUDIT_LGKM];
    for (int w = 0; w < waves; w++) {
        lags |= lag->barriers[w] != 0;
        grouped &= lag->barriers[w] == (w >= machine->waves_per_group);
    }
    machine->lag = lags;
    machine->lag_end_barrier = path->lag_barrier[SWP_EPILOGUE] >= 0;
    if (lags && (!grouped || machine->groups != 2))
        return swp_match_obstacle_add(b->a, path->lag_barrier[SWP_PROLOGUE],
                                      "makes other waves lag than the schedule's second group");
    return SWP_OK;
}

swp_status swp_match_rebuild(swp_attribution *attribution, const swp_lag *lag,
                             swp_rebuild_view view, swp_rebuilt *out)
{
    builder b = {.a = attribution, .walk = attribution->walk, .view = view};
    *out = (swp_rebuilt){.schedule = *attribution->schedule};
    swp_stream *stream = &out->schedule.streams[0];
    SWP_TRY(set_machine(&b, lag, &out->schedule.machine));
    SWP_TRY(set_phase(&b, SWP_PROLOGUE, out, &stream->prologue));
    SWP_TRY(set_phase(&b, SWP_KERNEL, out, &stream->kernel));
    return set_phase(&b, SWP_EPILOGUE, out, &stream->epilogue);
}
