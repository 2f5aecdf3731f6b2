/* SPDX-License-Identifier: Apache-2.0 */
/* What a schedule with warp roles takes of a work group: warps, registers, slots of objects, bytes of their phases. */
#include "ir/roles.h"
#include "ir/schedule.h"

static int round_up(int value, int to)
{
    return (value + to - 1) / to * to;
}

/* Instances that issue wgmmas are whole warp groups, and the registers of one are changed together. */
static bool takes_warp_groups(const swp_stream *stream)
{
    return stream->warps % SWP_IR_GROUP_WARPS == 0 || stream->registers > 0;
}

swp_ir_warps swp_ir_role_warps(const swp_schedule *schedule, size_t role)
{
    swp_ir_warps warps = {0, 0};
    for (size_t i = 0; i <= role; i++) {
        const swp_stream *stream = &schedule->streams[i];
        const int size = takes_warp_groups(stream) ? SWP_IR_GROUP_WARPS : 1;
        warps.first = round_up(warps.end, size);
        warps.end = warps.first + round_up(stream->warps * stream->instances, size);
    }
    return warps;
}

int swp_ir_all_warps(const swp_schedule *schedule)
{
    return swp_ir_role_warps(schedule, schedule->stream_count - 1).end;
}

int swp_ir_instance_warps(const swp_schedule *schedule)
{
    int warps = 0;
    for (size_t i = 0; i < schedule->stream_count; i++)
        warps += schedule->streams[i].warps * schedule->streams[i].instances;
    return warps;
}

int swp_ir_launch_registers(const swp_schedule *schedule)
{
    /* A quarter of a multiprocessor has so many, and every fourth warp: an H100 refuses 9 warps with 200 registers a thread. */
    enum { REGISTERS = 16384, QUARTERS = 4 };
    const int warps = (swp_ir_all_warps(schedule) + QUARTERS - 1) / QUARTERS;
    const int share = REGISTERS / (warps * SWP_IR_WARP_THREADS);
    const int granted = share - share % SWP_ROLE_REGISTERS_STEP;
    return granted < SWP_MOST_ROLE_REGISTERS ? granted : SWP_MOST_ROLE_REGISTERS;
}

int swp_ir_first_slot(const swp_schedule *schedule, size_t object)
{
    int slots = 0;
    for (size_t i = 0; i < object; i++)
        if (schedule->objects[i].kind == schedule->objects[object].kind)
            slots += schedule->objects[i].slots;
    return slots;
}

int swp_ir_object_slots(const swp_schedule *schedule, swp_role_object_kind kind)
{
    int slots = 0;
    for (size_t i = 0; i < schedule->object_count; i++)
        slots += schedule->objects[i].kind == kind ? schedule->objects[i].slots : 0;
    return slots;
}

static int count_bits(int bits)
{
    int count = 0;
    for (; bits != 0; bits >>= 1)
        count += bits & 1;
    return count;
}

/* That arrivals of a list expect of a phase; turns that are so many apart are alike, with 0 no others. */
static int64_t expected_in(const swp_stream *stream, const swp_entry_list *entries, int object,
                           int turn, int period)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < entries->count; i++) {
        const swp_op *op = &entries->items[i].op;
        const int times = op->instances == 0 ? stream->instances : count_bits(op->instances);
        const int apart = op->iteration - turn;
        if (op->tag == SWP_TAG_ARRIVE_EXPECT && op->object == object &&
            (period > 0 ? apart % period : apart) == 0)
            bytes += (int64_t)op->bytes * times;
    }
    return bytes;
}

int64_t swp_ir_phase_bytes(const swp_schedule *schedule, int object, int turn)
{
    const bool of_tiles = schedule->objects[object].clock == SWP_TILE_CLOCK;
    int64_t bytes = 0;
    for (size_t i = 0; i < schedule->stream_count; i++) {
        const swp_stream *stream = &schedule->streams[i];
        if (of_tiles)
            bytes += expected_in(stream, &stream->begin, object, 0, 1) +
                     expected_in(stream, &stream->end, object, 0, 1);
        else
            bytes +=
                expected_in(stream, &stream->kernel, object, turn, schedule->loop.tiles_per_pass);
    }
    return bytes;
}

static int64_t expected_at(const swp_schedule *schedule, size_t list, int object, int turn)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < schedule->stream_count; i++) {
        const swp_stream *stream = &schedule->streams[i];
        bytes += expected_in(stream, swp_ir_stream_list(stream, list), object, turn, 0);
    }
    return bytes;
}

static int64_t most_expected(const swp_schedule *schedule, size_t list, int object)
{
    int64_t most = 0;
    for (size_t i = 0; i < schedule->stream_count; i++) {
        const swp_entry_list *entries = swp_ir_stream_list(&schedule->streams[i], list);
        for (size_t k = 0; k < entries->count; k++) {
            const swp_op *op = &entries->items[k].op;
            if (op->tag != SWP_TAG_ARRIVE_EXPECT || op->object != object)
                continue;
            const int64_t bytes = expected_at(schedule, list, object, op->iteration);
            most = bytes > most ? bytes : most;
        }
    }
    return most;
}

int64_t swp_ir_most_phase_bytes(const swp_schedule *schedule, int object)
{
    int64_t most = 0;
    for (int turn = 0; turn < schedule->loop.tiles_per_pass; turn++) {
        const int64_t bytes = swp_ir_phase_bytes(schedule, object, turn);
        most = bytes > most ? bytes : most;
    }
    for (size_t list = 0; swp_ir_stream_list(&schedule->streams[0], list); list++) {
        const int64_t bytes = most_expected(schedule, list, object);
        most = bytes > most ? bytes : most;
    }
    return most;
}
