/* SPDX-License-Identifier: Apache-2.0 */
/* Lists other iterations, and ops to insert or remove, that may give an op the version that it needs. */
#include "verify/op_candidates.h"

#include "ir/entry.h"
#include "verify/exactly_once.h"

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

swp_status swp_verify_offer_missing_op(swp_context *ctx, const swp_schedule *schedule,
                                       swp_edit_list *out)
{
    swp_model model;
    swp_missing_op missing;
    SWP_TRY(swp_verify_model_build(ctx, schedule, SWP_NO_RULE, &model));
    if (!swp_verify_find_missing_op(&model, &missing))
        return SWP_OK;
    const int pass = missing.passes > 0 ? missing.passes - 1 : 0;
    const int tiles = schedule->loop.tiles_per_pass;
    const int bases[] = {0, pass * tiles, missing.passes * tiles};
    for (int phase = SWP_EPILOGUE; phase >= SWP_PROLOGUE; phase--) {
        const int length = (int)swp_schedule_phase(schedule, (swp_phase)phase)->count;
        const swp_op op = op_of(missing.op, missing.iteration - bases[phase]);
        for (int i = length; i >= 0; i--)
            SWP_TRY(offer_insertion(ctx, (swp_entry_ref){(swp_phase)phase, i}, op, out));
    }
    return SWP_OK;
}
