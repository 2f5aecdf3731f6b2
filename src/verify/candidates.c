/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/candidates.h"

#include "verify/op_candidates.h"
#include "verify/values.h"

enum { MOST_SLICES = 8 }; /* tried */

typedef struct finder {
    swp_context *ctx;
    const swp_schedule *schedule;
    const swp_hazard *hazard;
    swp_edit_list *out;
} finder;

static const swp_entry_list *entries_of(const finder *f, swp_phase phase)
{
    return swp_schedule_phase(f->schedule, phase);
}

/* NULL for the end of a phase. */
static const swp_op *op_at(const finder *f, swp_entry_ref at)
{
    const swp_entry_list *entries = entries_of(f, at.phase);
    return at.entry >= 0 && (size_t)at.entry < entries->count ? &entries->items[at.entry].op : NULL;
}

static swp_status offer(finder *f, swp_edit edit)
{
    return SWP_PUSH(f->ctx, f->out, edit);
}

static swp_status offer_set(finder *f, swp_entry_ref at, const char *member, swp_op op)
{
    return offer(
        f,
        (swp_edit){.kind = SWP_EDIT_SET, .at = at, .member = member, .ops = {op}, .op_count = 1});
}

/* --- Waits and barriers --- */

/* Where an order between the two can be made: from right before the later back to the earlier. */
typedef struct span {
    swp_entry_ref from;
    swp_entry_ref to;
    bool around; /* through the end of the kernel */
} span;

static bool in_span(const finder *f, const span *s, swp_entry_ref at)
{
    const swp_phase first = s->from.phase;
    const swp_phase last = s->to.phase;
    const bool after = at.phase > first || (at.phase == first && at.entry > s->from.entry);
    const bool before = at.phase < last || (at.phase == last && at.entry <= s->to.entry);
    if (first != last)
        return after && before;
    const bool turns = f->hazard->passes_before > 0 && first == SWP_KERNEL;
    return turns && s->around ? at.phase == SWP_KERNEL && (after || before) : after && before;
}

/* The wait for the counter that the first of the two is on; -1: it is on none. */
static int wait_tag(const finder *f, const swp_op *first)
{
    if (f->schedule->dataflow && first->tag < SWP_FIRST_INFRASTRUCTURE_TAG) {
        const swp_counter_id counter = swp_model_counter(f->schedule->dataflow->loop, first->tag);
        return counter == SWP_NO_COUNTER ? -1
               : counter == SWP_VMCNT    ? SWP_TAG_WAIT_VM
                                         : SWP_TAG_WAIT_LGKM;
    }
    return first->role == SWP_GLOBAL_LOAD ? SWP_TAG_WAIT_VM : SWP_TAG_WAIT_LGKM;
}

static swp_op wait_of(int tag)
{
    return tag == SWP_TAG_WAIT_VM ? swp_op_wait_vm(0) : swp_op_wait_lgkm(0);
}

static swp_status offer_lower_waits(finder *f, const span *s, int tag)
{
    for (swp_phase phase = s->to.phase;; phase--) {
        const swp_entry_list *entries = entries_of(f, phase);
        for (int i = (int)entries->count - 1; i >= 0; i--) {
            const swp_entry_ref at = {phase, i};
            swp_op op = entries->items[i].op;
            if (op.tag != tag || op.wait_value == 0 || !in_span(f, s, at))
                continue;
            op.wait_value = 0;
            SWP_TRY(offer_set(f, at, "wait", op));
        }
        if (phase == s->from.phase)
            return SWP_OK;
    }
}

static swp_edit insertion(swp_entry_ref at, int tag, int barriers)
{
    swp_edit edit = {.kind = SWP_EDIT_INSERT, .at = at};
    if (tag >= 0)
        edit.ops[edit.op_count++] = wait_of(tag);
    while (barriers-- > 0)
        edit.ops[edit.op_count++] = swp_op_barrier();
    return edit;
}

/* Right before the later op, before what synchronises between the two, and right after the earlier. */
static bool is_joint(const finder *f, const span *s, swp_entry_ref at)
{
    const swp_op *op = op_at(f, at);
    const bool after_first = at.phase == s->from.phase && at.entry == s->from.entry + 1;
    const bool at_last = at.phase == s->to.phase && at.entry == s->to.entry;
    return at_last || after_first || !op || op->role == SWP_SYNC;
}

static swp_status offer_insertions(finder *f, const span *s, int tag, int barriers)
{
    SWP_TRY(offer(f, insertion(s->to, tag, barriers)));
    for (swp_phase phase = s->to.phase;; phase--) {
        for (int i = (int)entries_of(f, phase)->count; i >= 0; i--) {
            const swp_entry_ref at = {phase, i};
            const bool at_last = phase == s->to.phase && i == s->to.entry;
            if (!at_last && in_span(f, s, at) && is_joint(f, s, at))
                SWP_TRY(offer(f, insertion(at, tag, barriers)));
        }
        if (phase == s->from.phase)
            return SWP_OK;
    }
}

static swp_status offer_order(finder *f)
{
    const swp_hazard *h = f->hazard;
    const span s = {h->other, h->at, true};
    const swp_op *first = h->has_other ? op_at(f, h->other) : NULL;
    if (!first || h->other.phase > h->at.phase)
        return SWP_OK;
    const int tag = wait_tag(f, first);
    if (tag >= 0) {
        SWP_TRY(offer_lower_waits(f, &s, tag));
        SWP_TRY(offer_insertions(f, &s, tag, 0));
    }
    SWP_TRY(offer_insertions(f, &s, -1, 1));
    SWP_TRY(offer_insertions(f, &s, tag, 1));
    return offer_insertions(f, &s, tag, 2);
}

/* --- Places --- */

/* Nearest positions first. */
static swp_status offer_moves(finder *f, swp_entry_ref at)
{
    const int count = (int)entries_of(f, at.phase)->count;
    if (!op_at(f, at))
        return SWP_OK;
    for (int distance = 1; distance < count; distance++) {
        const int later = at.entry + 1 + distance;
        const int earlier = at.entry - distance;
        if (earlier >= 0)
            SWP_TRY(offer(f, (swp_edit){.kind = SWP_EDIT_MOVE, .at = at, .to = earlier}));
        if (later <= count)
            SWP_TRY(offer(f, (swp_edit){.kind = SWP_EDIT_MOVE, .at = at, .to = later}));
    }
    return SWP_OK;
}

static swp_status offer_removal(finder *f, swp_entry_ref at)
{
    return op_at(f, at) ? offer(f, (swp_edit){.kind = SWP_EDIT_REMOVE, .at = at}) : SWP_OK;
}

/* --- What an op means --- */

static swp_status offer_stages(finder *f, swp_entry_ref at)
{
    swp_op op = *op_at(f, at);
    const int own = op.stage;
    const int stages = f->schedule->config.depth > 2 ? f->schedule->config.depth : 2;
    for (op.stage = 0; op.stage < stages; op.stage++)
        if (op.stage != own)
            SWP_TRY(offer_set(f, at, "stage", op));
    return SWP_OK;
}

static swp_status offer_k_offsets(finder *f, swp_entry_ref at)
{
    static const swp_k_offset offsets[] = {SWP_K0, SWP_K1, SWP_K_NEXT, SWP_K_PREV};
    swp_op op = *op_at(f, at);
    const swp_k_offset own = op.k_offset;
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        op.k_offset = offsets[i];
        if (op.k_offset != own)
            SWP_TRY(offer_set(f, at, "k_offset", op));
    }
    return SWP_OK;
}

static swp_status offer_cells(finder *f, swp_entry_ref at)
{
    const swp_op *own = op_at(f, at);
    const swp_loop_shape *loop = &f->schedule->loop;
    for (int row = 0; row < loop->m_mmas; row++) {
        swp_op op = *own;
        op.stage = row;
        if (row != own->stage)
            SWP_TRY(offer_set(f, at, "stage", op));
    }
    for (int column = 0; column < loop->n_mmas; column++) {
        swp_op op = *own;
        op.subtile = column;
        if (column != own->subtile)
            SWP_TRY(offer_set(f, at, "subtile", op));
    }
    return SWP_OK;
}

/* A loop that takes the next tile each time has a register a k-slice. */
static swp_status offer_slices(finder *f, swp_entry_ref at)
{
    swp_op op = *op_at(f, at);
    const int own = op.subtile;
    if (op.role != SWP_COMPUTE && op.role != SWP_FRAGMENT_LOAD)
        return SWP_OK;
    for (op.subtile = 0; op.subtile < MOST_SLICES; op.subtile++)
        if (op.subtile != own)
            SWP_TRY(offer_set(f, at, "subtile", op));
    return SWP_OK;
}

/* What another stage, k offset, row or column may mend. */
static swp_status offer_meanings(finder *f, swp_entry_ref at)
{
    const bool by_k_offset = f->schedule->loop.placement == SWP_PLACE_K_OFFSET;
    const swp_op *op = op_at(f, at);
    if (!op)
        return SWP_OK;
    if (!by_k_offset)
        return offer_slices(f, at);
    if (op->role == SWP_COMPUTE)
        return offer_cells(f, at);
    if (op->role == SWP_GLOBAL_LOAD)
        SWP_TRY(offer_k_offsets(f, at));
    if (op->role == SWP_GLOBAL_LOAD || op->role == SWP_FRAGMENT_LOAD)
        return offer_stages(f, at);
    return SWP_OK;
}

/* A double buffer's ops move for what is wrong with their own place or register. */
static bool is_of_place(const finder *f, const swp_op *op)
{
    return f->schedule->loop.placement != SWP_PLACE_K_OFFSET || f->hazard->site == SWP_SITE_NONE ||
           op->subtile == f->hazard->subtile;
}

/* Everything of a role on one operand, or that computes; moved too if `moves`. */
static swp_status offer_all(finder *f, swp_role role, int channel, bool moves)
{
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        for (int i = 0; i < (int)entries_of(f, phase)->count; i++) {
            const swp_entry_ref at = {phase, i};
            const swp_op *op = op_at(f, at);
            if (op->role != role || (channel >= 0 && op->channel != channel) ||
                (moves && !is_of_place(f, op)))
                continue;
            SWP_TRY(moves ? offer_moves(f, at) : offer_meanings(f, at));
        }
    return SWP_OK;
}

/* --- By kind --- */

static swp_status offer_sources(finder *f, bool moves)
{
    const int channel = f->hazard->site == SWP_SITE_NONE ? -1 : f->hazard->channel;
    const bool by_k_offset = f->schedule->loop.placement == SWP_PLACE_K_OFFSET;
    SWP_TRY(offer_all(f, SWP_FRAGMENT_LOAD, by_k_offset ? channel : -1, moves));
    return offer_all(f, SWP_GLOBAL_LOAD, by_k_offset ? channel : -1, moves);
}

static swp_status offer_both(finder *f, swp_status (*offer_each)(finder *f, swp_entry_ref at))
{
    SWP_TRY(offer_each(f, f->hazard->at));
    return f->hazard->has_other ? offer_each(f, f->hazard->other) : SWP_OK;
}

static swp_status offer_for_data(finder *f)
{
    SWP_TRY(offer_order(f));
    SWP_TRY(offer_both(f, offer_moves));
    SWP_TRY(offer_both(f, offer_meanings));
    SWP_TRY(offer_sources(f, false));
    return offer_sources(f, true);
}

/* An op of the role and operand, as the schedule has it somewhere; NULL if it has none. */
static const swp_op *model_of(const finder *f, swp_role role, int channel)
{
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        for (int i = 0; i < (int)entries_of(f, phase)->count; i++) {
            const swp_op *op = op_at(f, (swp_entry_ref){phase, i});
            if (op->role == role && (channel < 0 || op->channel == channel))
                return op;
        }
    return NULL;
}

/* A fragment load before the COMPUTE, or a load in the prologue, that was left out. */
static swp_status offer_left_out(finder *f)
{
    const swp_hazard *h = f->hazard;
    const bool by_k_offset = f->schedule->loop.placement == SWP_PLACE_K_OFFSET;
    const int channel = by_k_offset ? h->channel : -1;
    const swp_op *fragment = model_of(f, SWP_FRAGMENT_LOAD, channel);
    const swp_op *load = model_of(f, SWP_GLOBAL_LOAD, channel);
    for (int stage = 0; stage < (by_k_offset ? 2 : 1) && fragment && load; stage++) {
        swp_edit read = {.kind = SWP_EDIT_INSERT, .at = h->at, .ops = {*fragment}, .op_count = 1};
        swp_edit write = {
            .kind = SWP_EDIT_INSERT, .at = {SWP_PROLOGUE, 0}, .ops = {*load}, .op_count = 1};
        read.ops[0].subtile = write.ops[0].subtile = h->subtile;
        read.ops[0].stage = write.ops[0].stage = stage;
        SWP_TRY(offer(f, read));
        for (write.ops[0].k_offset = SWP_K0; by_k_offset && write.ops[0].k_offset <= SWP_K1;
             write.ops[0].k_offset++)
            SWP_TRY(offer(f, write));
    }
    return SWP_OK;
}

static swp_status offer_for_tile(finder *f)
{
    SWP_TRY(offer_both(f, offer_meanings));
    SWP_TRY(offer_left_out(f));
    SWP_TRY(offer_sources(f, false));
    SWP_TRY(offer_both(f, offer_moves));
    SWP_TRY(offer_all(f, SWP_COMPUTE, -1, false));
    SWP_TRY(offer_all(f, SWP_SHARED_STORE, -1, true));
    return offer_sources(f, true);
}

/* A COMPUTE of the same accumulator, or another's that becomes its. */
static swp_status offer_for_missing(finder *f)
{
    const swp_hazard *h = f->hazard;
    const swp_op *compute = model_of(f, SWP_COMPUTE, -1);
    SWP_TRY(offer_all(f, SWP_COMPUTE, -1, false));
    if (!compute)
        return SWP_OK;
    swp_op model = *compute;
    model.stage = f->schedule->loop.placement == SWP_PLACE_K_OFFSET ? h->stage : model.stage;
    model.subtile = h->subtile;
    for (int phase = SWP_EPILOGUE; phase >= SWP_KERNEL; phase--)
        for (int i = (int)entries_of(f, (swp_phase)phase)->count; i >= 0; i--)
            SWP_TRY(offer(f, (swp_edit){.kind = SWP_EDIT_INSERT,
                                        .at = {(swp_phase)phase, i},
                                        .ops = {model},
                                        .op_count = 1}));
    return SWP_OK;
}

static swp_status offer_for_double(finder *f)
{
    SWP_TRY(offer_meanings(f, f->hazard->at));
    SWP_TRY(offer_removal(f, f->hazard->at));
    return offer_all(f, SWP_COMPUTE, -1, false);
}

static swp_status offer_for_range(finder *f)
{
    SWP_TRY(offer_meanings(f, f->hazard->at));
    SWP_TRY(offer_removal(f, f->hazard->at));
    return offer_moves(f, f->hazard->at);
}

static swp_status offer_for_deadlock(finder *f)
{
    const swp_machine *machine = &f->schedule->machine;
    const int length = (int)f->schedule->prologue.count;
    const swp_entry_ref end = {SWP_EPILOGUE, (int)f->schedule->epilogue.count};
    if (!machine->lag_end_barrier)
        SWP_TRY(offer(f, (swp_edit){.kind = SWP_EDIT_LAG_END}));
    if (machine->lag_prologue_index > length)
        SWP_TRY(offer(f, (swp_edit){.kind = SWP_EDIT_LAG_INDEX, .to = length}));
    return offer(f, insertion(end, -1, 1));
}

static swp_status offer_for_counter(finder *f)
{
    const swp_op *op = op_at(f, f->hazard->at);
    return op ? offer(f, insertion(f->hazard->at, wait_tag(f, op), 0)) : SWP_OK;
}

/* The same of a loop's ops. */
static swp_status find_for_ops(finder *f)
{
    const swp_hazard *h = f->hazard;
    if (h->kind == SWP_MISSING_WORK)
        SWP_TRY(swp_offer_missing_op(f->ctx, f->schedule, f->out));
    SWP_TRY(offer_order(f));
    SWP_TRY(swp_offer_iterations(f->ctx, f->schedule, h->at, f->out));
    if (h->kind == SWP_DOUBLE_WORK || h->kind == SWP_OUT_OF_RANGE)
        SWP_TRY(offer_removal(f, h->at));
    SWP_TRY(offer_both(f, offer_moves));
    return swp_offer_makers(f->ctx, f->schedule, h, f->out);
}

swp_status swp_candidates_find(swp_context *ctx, const swp_schedule *schedule,
                               const swp_hazard *hazard, swp_edit_list *out)
{
    finder f = {ctx, schedule, hazard, out};
    const bool is_of_entries = hazard->kind != SWP_DEADLOCK && hazard->kind != SWP_COUNTER;
    if (schedule->dataflow && is_of_entries)
        return find_for_ops(&f);
    switch (hazard->kind) {
    case SWP_STALE_READ:
    case SWP_OVERWRITTEN:
    case SWP_WRITE_RACE:
    case SWP_REGISTER_NOT_READY:
        return offer_for_data(&f);
    case SWP_WRONG_TILE:
        return offer_for_tile(&f);
    case SWP_MISSING_WORK:
        return offer_for_missing(&f);
    case SWP_DOUBLE_WORK:
        return offer_for_double(&f);
    case SWP_OUT_OF_RANGE:
        return offer_for_range(&f);
    case SWP_DEADLOCK:
        return offer_for_deadlock(&f);
    case SWP_COUNTER:
        return offer_for_counter(&f);
    case SWP_HAZARD_KINDS:
        break;
    }
    return SWP_OK;
}
