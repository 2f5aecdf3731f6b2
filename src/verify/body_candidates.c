/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the edits of a body's ops that may remove a hazard: other slots, k offsets and cells, moves, and ops that were left out. */
#include "verify/body_candidates.h"

enum { MOST_SLICES = 8 }; /* tried */

/* --- What an op means --- */

static swp_status offer_stages(swp_finder *f, swp_entry_ref at)
{
    swp_op op = *swp_sync_op_at(f, at);
    const int own = op.stage;
    const int stages = f->schedule->config.depth > 2 ? f->schedule->config.depth : 2;
    for (op.stage = 0; op.stage < stages; op.stage++)
        if (op.stage != own)
            SWP_TRY(swp_offer_set(f, at, "stage", op));
    return SWP_OK;
}

static swp_status offer_k_offsets(swp_finder *f, swp_entry_ref at)
{
    static const swp_k_offset offsets[] = {SWP_K0, SWP_K1, SWP_K_NEXT, SWP_K_PREV};
    swp_op op = *swp_sync_op_at(f, at);
    const swp_k_offset own = op.k_offset;
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        op.k_offset = offsets[i];
        if (op.k_offset != own)
            SWP_TRY(swp_offer_set(f, at, "k_offset", op));
    }
    return SWP_OK;
}

static swp_status offer_cells(swp_finder *f, swp_entry_ref at)
{
    const swp_op *own = swp_sync_op_at(f, at);
    const swp_loop_shape *loop = &f->schedule->loop;
    for (int row = 0; row < loop->m_mmas; row++) {
        swp_op op = *own;
        op.stage = row;
        if (row != own->stage)
            SWP_TRY(swp_offer_set(f, at, "stage", op));
    }
    for (int column = 0; column < loop->n_mmas; column++) {
        swp_op op = *own;
        op.subtile = column;
        if (column != own->subtile)
            SWP_TRY(swp_offer_set(f, at, "subtile", op));
    }
    return SWP_OK;
}

/* A loop that takes the next tile each time has a register a k-slice. */
static swp_status offer_slices(swp_finder *f, swp_entry_ref at)
{
    swp_op op = *swp_sync_op_at(f, at);
    const int own = op.subtile;
    if (op.role != SWP_COMPUTE && op.role != SWP_FRAGMENT_LOAD)
        return SWP_OK;
    for (op.subtile = 0; op.subtile < MOST_SLICES; op.subtile++)
        if (op.subtile != own)
            SWP_TRY(swp_offer_set(f, at, "subtile", op));
    return SWP_OK;
}

/* What another slot, k offset, row or column may mend. */
static swp_status offer_meanings(swp_finder *f, swp_entry_ref at)
{
    const bool by_k_offset = f->schedule->loop.placement == SWP_PLACE_K_OFFSET;
    const swp_op *op = swp_sync_op_at(f, at);
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
static bool is_of_place(const swp_finder *f, const swp_op *op)
{
    return f->schedule->loop.placement != SWP_PLACE_K_OFFSET || f->hazard->site == SWP_SITE_NONE ||
           op->subtile == f->hazard->subtile;
}

/* Everything of a kind on one operand, or that computes; moved too if `moves`. */
static swp_status offer_all(swp_finder *f, swp_role role, int channel, bool moves)
{
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        for (int i = 0; i < (int)swp_entries_of(f, phase)->count && !swp_edits_full(f->out); i++) {
            const swp_entry_ref at = {phase, i};
            const swp_op *op = swp_sync_op_at(f, at);
            if (op->role != role || (channel >= 0 && op->channel != channel) ||
                (moves && !is_of_place(f, op)))
                continue;
            SWP_TRY(moves ? swp_verify_offer_moves(f, at) : offer_meanings(f, at));
        }
    return SWP_OK;
}

/* --- By kind --- */

static swp_status offer_sources(swp_finder *f, bool moves)
{
    const int channel = f->hazard->site == SWP_SITE_NONE ? -1 : f->hazard->channel;
    const bool by_k_offset = f->schedule->loop.placement == SWP_PLACE_K_OFFSET;
    SWP_TRY(offer_all(f, SWP_FRAGMENT_LOAD, by_k_offset ? channel : -1, moves));
    return offer_all(f, SWP_GLOBAL_LOAD, by_k_offset ? channel : -1, moves);
}

static swp_status offer_for_data(swp_finder *f)
{
    SWP_TRY(swp_verify_offer_order(f));
    SWP_TRY(swp_verify_offer_both(f, swp_verify_offer_moves));
    SWP_TRY(swp_verify_offer_both(f, offer_meanings));
    SWP_TRY(offer_sources(f, false));
    return offer_sources(f, true);
}

/* An op of the kind and operand, as the schedule has it somewhere; NULL if it has none. */
static const swp_op *model_of(const swp_finder *f, swp_role role, int channel)
{
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        for (int i = 0; i < (int)swp_entries_of(f, phase)->count; i++) {
            const swp_op *op = swp_sync_op_at(f, (swp_entry_ref){phase, i});
            if (op->role == role && (channel < 0 || op->channel == channel))
                return op;
        }
    return NULL;
}

/* A fragment load before the COMPUTE, or a load in the prologue, that was left out. */
static swp_status offer_left_out(swp_finder *f)
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
        SWP_TRY(swp_offer(f, read));
        for (write.ops[0].k_offset = SWP_K0; by_k_offset && write.ops[0].k_offset <= SWP_K1;
             write.ops[0].k_offset++)
            SWP_TRY(swp_offer(f, write));
    }
    return SWP_OK;
}

static swp_status offer_for_tile(swp_finder *f)
{
    SWP_TRY(swp_verify_offer_both(f, offer_meanings));
    SWP_TRY(offer_left_out(f));
    SWP_TRY(offer_sources(f, false));
    SWP_TRY(swp_verify_offer_both(f, swp_verify_offer_moves));
    SWP_TRY(offer_all(f, SWP_COMPUTE, -1, false));
    SWP_TRY(offer_all(f, SWP_SHARED_STORE, -1, true));
    return offer_sources(f, true);
}

/* A COMPUTE of the same accumulator, or another's that becomes its. */
static swp_status offer_for_missing(swp_finder *f)
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
        for (int i = (int)swp_entries_of(f, (swp_phase)phase)->count; i >= 0; i--)
            SWP_TRY(swp_offer(f, (swp_edit){.kind = SWP_EDIT_INSERT,
                                            .at = {(swp_phase)phase, i},
                                            .ops = {model},
                                            .op_count = 1}));
    return SWP_OK;
}

static swp_status offer_for_double(swp_finder *f)
{
    SWP_TRY(offer_meanings(f, f->hazard->at));
    SWP_TRY(swp_verify_offer_removal(f, f->hazard->at));
    return offer_all(f, SWP_COMPUTE, -1, false);
}

static swp_status offer_for_range(swp_finder *f)
{
    SWP_TRY(offer_meanings(f, f->hazard->at));
    SWP_TRY(swp_verify_offer_removal(f, f->hazard->at));
    return swp_verify_offer_moves(f, f->hazard->at);
}

static swp_status offer_for_deadlock(swp_finder *f)
{
    const swp_machine *machine = &f->schedule->machine;
    const int length = (int)swp_schedule_phase(f->schedule, SWP_PROLOGUE)->count;
    const swp_entry_ref end = {SWP_EPILOGUE,
                               (int)swp_schedule_phase(f->schedule, SWP_EPILOGUE)->count};
    if (!machine->lag_end_barrier)
        SWP_TRY(swp_offer(f, (swp_edit){.kind = SWP_EDIT_LAG_END}));
    if (machine->lag_prologue_index > length)
        SWP_TRY(swp_offer(f, (swp_edit){.kind = SWP_EDIT_LAG_INDEX, .to = length}));
    return swp_offer(f, swp_verify_order_insertion(end, -1, 1));
}

static swp_status offer_for_counter(swp_finder *f)
{
    const swp_op *op = swp_sync_op_at(f, f->hazard->at);
    return op ? swp_offer(f,
                          swp_verify_order_insertion(f->hazard->at, swp_verify_wait_tag(f, op), 0))
              : SWP_OK;
}

swp_status swp_verify_find_for_body(swp_finder *f)
{
    switch (f->hazard->kind) {
    case SWP_STALE_READ:
    case SWP_OVERWRITTEN:
    case SWP_WRITE_RACE:
    case SWP_REGISTER_NOT_READY:
        return offer_for_data(f);
    case SWP_WRONG_TILE:
        return offer_for_tile(f);
    case SWP_MISSING_WORK:
        return offer_for_missing(f);
    case SWP_DOUBLE_WORK:
        return offer_for_double(f);
    case SWP_OUT_OF_RANGE:
        return offer_for_range(f);
    case SWP_DEADLOCK:
        return offer_for_deadlock(f);
    case SWP_COUNTER:
        return offer_for_counter(f);
    case SWP_ARRIVALS: /* of warp roles from here on */
    case SWP_NAMED_BARRIER:
    case SWP_PHASE_ALIAS:
    case SWP_UNOBSERVED_PHASE:
    case SWP_LOST_PEER:
    case SWP_UNFENCED:
    case SWP_ACCUMULATOR_IN_FLIGHT:
    case SWP_FENCE_PLACE: /* of an audit */
    case SWP_HAZARD_KINDS:
        break;
    }
    return SWP_OK;
}
