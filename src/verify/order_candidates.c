/* SPDX-License-Identifier: Apache-2.0 */
/* Waits and barriers that may remove a hazard. */
#include "ir/effects.h"
#include "verify/finder.h"

/* Where an order between the two can be made: from right before the later back to the earlier. */
typedef struct span {
    swp_entry_ref from;
    swp_entry_ref to;
    bool around; /* through the end of the kernel */
} span;

static bool in_span(const swp_finder *f, const span *s, swp_entry_ref at)
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

int swp_verify_wait_tag(const swp_finder *f, const swp_op *first)
{
    const swp_sync_object object = swp_ir_object_of(f->schedule, first);
    if (object == SWP_NO_OBJECT)
        return f->loop ? -1 : SWP_TAG_WAIT_LGKM;
    return swp_ir_sync_object_row(object)->wait == SWP_WAIT_FOR_VM ? SWP_TAG_WAIT_VM
                                                                   : SWP_TAG_WAIT_LGKM;
}

static swp_op wait_of(int tag)
{
    return tag == SWP_TAG_WAIT_VM ? swp_op_wait_vm(0) : swp_op_wait_lgkm(0);
}

static swp_status offer_lower_waits(swp_finder *f, const span *s, int tag)
{
    for (swp_phase phase = s->to.phase;; phase--) {
        const swp_entry_list *entries = swp_entries_of(f, phase);
        for (int i = (int)entries->count - 1; i >= 0; i--) {
            const swp_entry_ref at = {phase, i};
            swp_op op = entries->items[i].op;
            if (op.tag != tag || op.wait_value == 0 || !in_span(f, s, at))
                continue;
            op.wait_value = 0;
            SWP_TRY(swp_offer_set(f, at, "wait", op));
        }
        if (phase == s->from.phase)
            return SWP_OK;
    }
}

swp_edit swp_verify_order_insertion(swp_entry_ref at, int tag, int barriers)
{
    swp_edit edit = {.kind = SWP_EDIT_INSERT, .at = at};
    if (tag >= 0)
        edit.ops[edit.op_count++] = wait_of(tag);
    while (barriers-- > 0)
        edit.ops[edit.op_count++] = swp_op_barrier();
    return edit;
}

/* Right before the later op, before what synchronises between the two, and right after the earlier. */
static bool is_joint(const swp_finder *f, const span *s, swp_entry_ref at)
{
    const swp_op *op = swp_sync_op_at(f, at);
    const bool after_first = at.phase == s->from.phase && at.entry == s->from.entry + 1;
    const bool at_last = at.phase == s->to.phase && at.entry == s->to.entry;
    return at_last || after_first || !op || op->role == SWP_SYNC;
}

static swp_status offer_insertions(swp_finder *f, const span *s, int tag, int barriers)
{
    SWP_TRY(swp_offer(f, swp_verify_order_insertion(s->to, tag, barriers)));
    for (swp_phase phase = s->to.phase;; phase--) {
        for (int i = (int)swp_entries_of(f, phase)->count; i >= 0; i--) {
            const swp_entry_ref at = {phase, i};
            const bool at_last = phase == s->to.phase && i == s->to.entry;
            if (!at_last && in_span(f, s, at) && is_joint(f, s, at))
                SWP_TRY(swp_offer(f, swp_verify_order_insertion(at, tag, barriers)));
        }
        if (phase == s->from.phase)
            return SWP_OK;
    }
}

swp_status swp_verify_offer_order(swp_finder *f)
{
    const swp_hazard *h = f->hazard;
    const span s = {h->other, h->at, true};
    const swp_op *first = h->has_other ? swp_sync_op_at(f, h->other) : NULL;
    if (!first || h->other.phase > h->at.phase)
        return SWP_OK;
    const int tag = swp_verify_wait_tag(f, first);
    if (tag >= 0) {
        SWP_TRY(offer_lower_waits(f, &s, tag));
        SWP_TRY(offer_insertions(f, &s, tag, 0));
    }
    SWP_TRY(offer_insertions(f, &s, -1, 1));
    SWP_TRY(offer_insertions(f, &s, tag, 1));
    return offer_insertions(f, &s, tag, 2);
}
