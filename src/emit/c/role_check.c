/* SPDX-License-Identifier: Apache-2.0 */
/* What the instructions of sm_90 cannot say of a schedule with warp roles. */
#include "base/diag.h"
#include "base/text.h"
#include "emit/c/roles.h"
#include "ir/entry.h"
#include "ir/schedule.h"
#include "swp/loop.h"

enum { MOST_BARRIERS = 15 /* but for number 0, which is the work group's */ };

static swp_status check_object(const swp_c_header *header, const swp_role_object *object)
{
    if (object->kind == SWP_OBJECT_MBARRIER && object->arrivals > SWP_IR_MOST_PENDING)
        return swp_error(header->ctx, SWP_E0802, SWP_NOWHERE, NULL,
                         "mbarrier %s: its phases have %d arrivals, and at most %d can be awaited",
                         object->name, object->arrivals, SWP_IR_MOST_PENDING);
    if (object->kind == SWP_OBJECT_NAMED_BARRIER && object->threads % SWP_IR_WARP_THREADS != 0)
        return swp_error(header->ctx, SWP_E0802, SWP_NOWHERE, "whole warps meet: give a multiple",
                         "named barrier %s: its %d threads are no multiple of %d", object->name,
                         object->threads, SWP_IR_WARP_THREADS);
    return SWP_OK;
}

static swp_status check_bytes(const swp_c_header *header, size_t object)
{
    const int64_t bytes = swp_c_most_phase_bytes(header->schedule, (int)object);
    if (bytes <= SWP_IR_MOST_PENDING)
        return SWP_OK;
    return swp_error(header->ctx, SWP_E0802, SWP_NOWHERE,
                     "let the copies of a phase be smaller, or complete on two mbarriers",
                     "mbarrier %s: a phase expects %lld bytes, and counts up to %d",
                     header->schedule->objects[object].name, (long long)bytes, SWP_IR_MOST_PENDING);
}

static swp_status check_objects(const swp_c_header *header)
{
    const swp_schedule *s = header->schedule;
    const int barriers = swp_c_object_slots(s, SWP_OBJECT_NAMED_BARRIER);
    for (size_t i = 0; i < s->object_count; i++) {
        SWP_TRY(check_object(header, &s->objects[i]));
        SWP_TRY(check_bytes(header, i));
    }
    if (barriers <= MOST_BARRIERS)
        return SWP_OK;
    return swp_error(
        header->ctx, SWP_E0802, SWP_NOWHERE, "one more, number 0, is the work group's barrier",
        "the named barriers have %d slots, and a work group has %d", barriers, MOST_BARRIERS);
}

static swp_status check_entry(void *user, const swp_stream *stream, const swp_entry *entry)
{
    const swp_c_header *header = user;
    const swp_loop_op *work = swp_ir_loop_op(header->schedule, &entry->op);
    if (entry->op.bytes > SWP_IR_MOST_PENDING)
        return swp_error(header->ctx, SWP_E0802, SWP_NOWHERE, NULL,
                         "role %s: %d bytes, and a phase of an mbarrier counts up to %d",
                         stream->name, entry->op.bytes, SWP_IR_MOST_PENDING);
    if (work && stream->warps % SWP_IR_GROUP_WARPS != 0 &&
        work->completion == SWP_COMPLETION_MATRIX_GROUP)
        return swp_error(header->ctx, SWP_E0802, SWP_NOWHERE, "give it whole warp groups",
                         "role %s: op %s is a wgmma, which is issued by %d warps, and an instance "
                         "has %d",
                         stream->name, swp_schedule_op_name(header->schedule, entry->op.tag),
                         SWP_IR_GROUP_WARPS, stream->warps);
    return SWP_OK;
}

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

static swp_status refuse_registers(const swp_c_header *header, const swp_stream *stream)
{
    char *hint = NULL;
    SWP_TRY(swp_format(header->ctx, &hint, "setmaxnreg takes multiples of %d from %d to %d",
                       SWP_ROLE_REGISTERS_STEP, SWP_LEAST_ROLE_REGISTERS, SWP_MOST_ROLE_REGISTERS));
    return swp_error(header->ctx, SWP_E0802, SWP_NOWHERE, hint, "role %s: %d registers",
                     stream->name, stream->registers);
}

static swp_status check_registers(const swp_c_header *header)
{
    const swp_schedule *s = header->schedule;
    const int warps = swp_c_all_warps(s);
    int registers = 0;
    for (size_t i = 0; i < s->stream_count; i++) {
        const swp_stream *stream = &s->streams[i];
        const swp_c_warps own = swp_c_role_warps(s, i);
        const int each = stream->registers > 0 ? stream->registers : swp_c_launch_registers(s);
        if (stream->registers != 0 && !swp_ir_can_set_registers(stream->registers))
            return refuse_registers(header, stream);
        registers += (own.end - own.first) * each;
    }
    if (registers <= warps * swp_c_launch_registers(s))
        return SWP_OK;
    return swp_error(header->ctx, SWP_E0802, SWP_NOWHERE,
                     "setmaxnreg waits for ever for what others do not give back",
                     "the roles' registers are %d for each lane of their warps, and a launch of %d "
                     "warps has %d",
                     registers, warps, warps * swp_c_launch_registers(s));
}

static swp_status check_warps(const swp_c_header *header)
{
    const int warps = swp_c_all_warps(header->schedule);
    char *hint = NULL;
    if (warps <= SWP_MOST_ROLE_WARPS)
        return SWP_OK;
    SWP_TRY(swp_format(header->ctx, &hint,
                       "a role with `registers`, or of %d warps, takes whole warp groups",
                       SWP_IR_GROUP_WARPS));
    return swp_error(header->ctx, SWP_E0802, SWP_NOWHERE, hint,
                     "the roles take %d warps, and a work group has %d", warps,
                     SWP_MOST_ROLE_WARPS);
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
    swp_c_header copy = *header;
    const swp_schedule *s = header->schedule;
    SWP_TRY(swp_ir_check_role_loop(header->ctx, s));
    SWP_TRY(check_shape(header));
    SWP_TRY(check_tiles(header));
    SWP_TRY(check_objects(header));
    SWP_TRY(check_warps(header));
    SWP_TRY(check_registers(header));
    for (size_t i = 0; i < s->stream_count; i++)
        SWP_TRY(swp_c_visit_role(&s->streams[i], check_entry, &copy));
    return SWP_OK;
}
