/* SPDX-License-Identifier: Apache-2.0 */
/* Lists other iterations, and ops to insert or remove, that may give an op the version that it needs. */
#include "verify/op_candidates.h"

#include "ir/entry.h"

#include <string.h>

enum { MOST_ITERATIONS = 4 }; /* by which one is moved */

swp_status swp_verify_offer_iterations(swp_context *ctx, const swp_schedule *schedule,
                                       swp_entry_ref at, swp_edit_list *out)
{
    const swp_entry_list *entries = swp_schedule_phase(schedule, at.phase);
    if (at.entry < 0 || (size_t)at.entry >= entries->count ||
        !swp_ir_is_work(&entries->items[at.entry].op))
        return SWP_OK;
    for (int by = 1; by <= MOST_ITERATIONS; by++)
        for (int sign = -1; sign <= 1; sign += 2) {
            swp_edit edit = {.kind = SWP_EDIT_SET, .at = at, .member = "iteration", .op_count = 1};
            edit.ops[0] = entries->items[at.entry].op;
            edit.ops[0].iteration += sign * by;
            SWP_TRY(swp_edits_push(ctx, out, edit));
        }
    return SWP_OK;
}

/* Whether the op makes the value of that name. */
static bool makes(const swp_loop *loop, const swp_loop_op *op, const char *value)
{
    for (size_t i = 0; i < op->write_count; i++)
        if (!strcmp(loop->values[op->writes[i]].name, value))
            return true;
    for (size_t i = 0; i < op->update_count; i++)
        if (!strcmp(loop->values[op->updates[i]].name, value))
            return true;
    return false;
}

static swp_op op_of(int tag, int iteration)
{
    swp_op op = swp_op_none();
    op.tag = swp_tag_of_loop_op(tag);
    op.iteration = iteration;
    return op;
}

static swp_status offer_insertion(swp_context *ctx, swp_entry_ref at, swp_op op, swp_edit_list *out)
{
    const swp_edit edit = {.kind = SWP_EDIT_INSERT, .at = at, .ops = {op}, .op_count = 1};
    return swp_edits_push(ctx, out, edit);
}

swp_status swp_verify_offer_makers(swp_finder *f)
{
    const swp_hazard *h = f->hazard;
    const swp_loop *loop = f->loop;
    const swp_op *reader = swp_sync_op_at(f, h->at);
    if (!h->value || !reader)
        return SWP_OK;
    for (int tag = 0; tag < (int)loop->op_count; tag++)
        for (int before = 0; makes(loop, &loop->ops[tag], h->value) && before < 3; before++)
            SWP_TRY(offer_insertion(f->ctx, h->at, op_of(tag, reader->iteration - before), f->out));
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        for (int i = 0; i < (int)swp_entries_of(f, phase)->count && !swp_edits_full(f->out); i++) {
            const swp_entry_ref at = {phase, i};
            const swp_op *op = swp_sync_op_at(f, at);
            const swp_loop_op *work = swp_ir_loop_op(f->schedule, op);
            if (work && makes(loop, work, h->value))
                SWP_TRY(swp_verify_offer_iterations(f->ctx, f->schedule, at, f->out));
        }
    return SWP_OK;
}

/* --- Work that is left out --- */

/* The base of a list, or of the kernel's last pass, in the run that shows the hazard. */
static int base_of(const swp_finder *f, int passes, swp_phase phase)
{
    const int before = phase == SWP_EPILOGUE ? passes : phase == SWP_KERNEL ? passes - 1 : 0;
    return before > 0 ? before * f->schedule->loop.tiles_per_pass : 0;
}

static bool does(const swp_finder *f, int passes, swp_phase phase, int op, int iteration)
{
    const int tiles = f->schedule->loop.tiles_per_pass;
    const swp_entry_list *entries = swp_entries_of(f, phase);
    for (size_t i = 0; i < entries->count; i++) {
        const int later = base_of(f, passes, phase) + entries->items[i].op.iteration - iteration;
        const bool is_in_earlier_pass =
            phase == SWP_KERNEL && later > 0 && later % tiles == 0 && later / tiles < passes;
        if (entries->items[i].op.tag == swp_tag_of_loop_op(op) &&
            (later == 0 || is_in_earlier_pass))
            return true;
    }
    return false;
}

static bool is_left_out(const swp_finder *f, int passes, int op, int iteration)
{
    return !does(f, passes, SWP_PROLOGUE, op, iteration) &&
           !(passes > 0 && does(f, passes, SWP_KERNEL, op, iteration)) &&
           !does(f, passes, SWP_EPILOGUE, op, iteration);
}

static swp_status offer_anywhere(swp_finder *f, int passes, int op, int iteration)
{
    for (int phase = SWP_EPILOGUE; phase >= SWP_PROLOGUE; phase--) {
        const swp_op missing = op_of(op, iteration - base_of(f, passes, (swp_phase)phase));
        for (int i = (int)swp_entries_of(f, (swp_phase)phase)->count; i >= 0; i--)
            SWP_TRY(offer_insertion(f->ctx, (swp_entry_ref){(swp_phase)phase, i}, missing, f->out));
    }
    return SWP_OK;
}

swp_status swp_verify_offer_missing_op(swp_finder *f)
{
    const swp_loop_shape *loop = &f->schedule->loop;
    const int n = f->hazard->smallest_n;
    const int passes = loop->tiles_per_pass > 0 ? (n - loop->min_tiles) / loop->tiles_per_pass : 0;
    for (int op = 0; op < (int)f->loop->op_count; op++)
        for (int iteration = 0; iteration < n; iteration++)
            if (is_left_out(f, passes, op, iteration))
                return offer_anywhere(f, passes, op, iteration);
    return SWP_OK;
}
