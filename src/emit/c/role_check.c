/* SPDX-License-Identifier: Apache-2.0 */
/* What neither macros nor the instructions of sm_90 can say of a schedule with warp roles. */
#include "base/diag.h"
#include "base/text.h"
#include "emit/c/roles.h"
#include "ir/entry.h"
#include "ir/schedule.h"
#include "swp/loop.h"

/* Which slot that is depends on the number of iterations, which `end` alone is told. */
static swp_status check_list(const swp_c_header *header, const swp_stream *stream, swp_phase list)
{
    const swp_loop_dataflow *dataflow = header->schedule->dataflow;
    const swp_entry_list *entries = swp_stream_phase(stream, list);
    for (size_t i = 0; i < entries->count; i++) {
        const swp_loop_op *op = swp_ir_loop_op(header->schedule, &entries->items[i].op);
        for (size_t r = 0; op && op->clock == SWP_TILE_CLOCK && r < op->read_count; r++)
            if (dataflow->slots[op->reads[r].value] > 1 &&
                swp_ir_is_of_passes(dataflow->loop, op->reads[r].value))
                return swp_error(header->ctx, SWP_E0801, SWP_NOWHERE, "let it stand in `end`",
                                 "role %s, %s: op %s reads the last version of %s, and the header "
                                 "cannot tell its slot there",
                                 stream->name, swp_phase_name(list), op->name,
                                 dataflow->loop->values[op->reads[r].value].name);
    }
    return SWP_OK;
}

static swp_status check_tiles(const swp_c_header *header)
{
    const swp_schedule *s = header->schedule;
    for (size_t i = 0; s->output_tiles && i < s->stream_count; i++)
        for (swp_phase list = SWP_PROLOGUE; list <= SWP_BEGIN; list++)
            SWP_TRY(check_list(header, &s->streams[i], list));
    return SWP_OK;
}

/* What no proof has looked at where it is waived. */
static swp_status check_shape(const swp_c_header *header)
{
    const swp_schedule *s = header->schedule;
    const swp_tails *tails = &s->streams[0].tails;
    const swp_loop_shape *loop = &s->loop;
    const bool takes_any_n = loop->tiles_per_pass >= 1 && loop->multiple == 1 &&
                             loop->min_tiles >= 0 &&
                             tails->epilogue_count + 1 == (size_t)loop->tiles_per_pass &&
                             tails->straight_count == (size_t)loop->min_tiles;
    if (!takes_any_n)
        SWP_TRY(swp_loop_shape_check(header->ctx, loop));
    if (loop->first_base == 0)
        return SWP_OK;
    return swp_error(header->ctx, SWP_E0801, SWP_NOWHERE, "set it to 0",
                     "first_base is %d, but iterations count from 0", loop->first_base);
}

swp_status swp_c_check_roles(const swp_c_header *header)
{
    const swp_schedule *s = header->schedule;
    SWP_TRY(swp_ir_check_role_loop(header->ctx, s));
    SWP_TRY(check_shape(header));
    SWP_TRY(check_tiles(header));
    return swp_ir_check_role_hardware(header->ctx, s);
}
