/* SPDX-License-Identifier: Apache-2.0 */
/* A compiled schedule and its forms: one for each remainder and each number of tiles below the least. */
#include "ir/schedule.h"
#include "ir/type_names.h"

#include "base/arena.h"
#include "base/require.h"

#include "swp/loop.h"

#include <stdio.h>
#include <string.h>

static const swp_name object_kinds[] = {SWP_ROLE_OBJECTS(SWP_NAME_ROW)};
const swp_name_table swp_ir_role_object_names = SWP_NAME_TABLE(object_kinds);

const char *swp_role_object_kind_name(swp_role_object_kind kind)
{
    return swp_shown_name(object_kinds, SWP_COUNT_OF(object_kinds), (int)kind);
}

void swp_schedule_free(swp_schedule *schedule)
{
    if (schedule)
        swp_arena_free(schedule->arena);
}

const char *swp_schedule_op_name(const swp_schedule *schedule, int tag)
{
    SWP_REQUIRE_OR("", schedule);
    const char *name = swp_infrastructure_name(tag);
    if (name)
        return name;
    const bool is_body = tag >= 0 && tag < SWP_FIRST_INFRASTRUCTURE_TAG;
    const bool is_loop = tag > SWP_TAG_NONE && tag < SWP_SCHEDULE_TAGS && schedule->dataflow;
    const bool is_named = (is_body || is_loop) && schedule->op_names;
    return is_named && schedule->op_names[tag] ? schedule->op_names[tag] : "?";
}

const swp_entry_list *swp_stream_phase(const swp_stream *stream, swp_phase phase)
{
    SWP_REQUIRE_OR(NULL, stream);
    switch (phase) {
    case SWP_PROLOGUE:
        return &stream->prologue;
    case SWP_EPILOGUE:
        return &stream->epilogue;
    case SWP_BEGIN:
        return &stream->begin;
    case SWP_END:
        return &stream->end;
    case SWP_DRAIN:
        return &stream->drain;
    case SWP_KERNEL:
        break;
    }
    return &stream->kernel;
}

const swp_entry_list *swp_schedule_phase(const swp_schedule *schedule, swp_phase phase)
{
    SWP_REQUIRE_OR(NULL, schedule);
    return swp_stream_phase(&schedule->streams[0], phase);
}

const swp_entry_list *swp_ir_stream_list(const swp_stream *stream, size_t number)
{
    const swp_tails *tails = &stream->tails;
    if (number <= SWP_DRAIN)
        return swp_stream_phase(stream, (swp_phase)number);
    number -= SWP_DRAIN + 1;
    if (number < tails->epilogue_count)
        return &tails->epilogues[number];
    number -= tails->epilogue_count;
    return number < tails->straight_count ? &tails->straight[number] : NULL;
}

/* All streams have the same forms. */
static int remainders(const swp_schedule *schedule)
{
    return 1 + (int)schedule->streams[0].tails.epilogue_count;
}

int swp_schedule_forms(const swp_schedule *schedule)
{
    SWP_REQUIRE_OR(0, schedule);
    return remainders(schedule) + (int)schedule->streams[0].tails.straight_count;
}

static swp_stream form_of_stream(const swp_stream *stream, int form)
{
    swp_stream out = *stream;
    const int with_passes = 1 + (int)stream->tails.epilogue_count;
    out.tails = (swp_tails){0};
    if (form >= with_passes)
        return (swp_stream){.name = stream->name,
                            .warps = stream->warps,
                            .instances = stream->instances,
                            .registers = stream->registers,
                            .begin = stream->begin,
                            .end = stream->end,
                            .drain = stream->drain,
                            .epilogue = stream->tails.straight[form - with_passes]};
    if (form > 0)
        out.epilogue = stream->tails.epilogues[form - 1];
    return out;
}

swp_schedule swp_schedule_form(const swp_schedule *schedule, int form)
{
    SWP_REQUIRE_OR((swp_schedule){0}, schedule);
    swp_schedule out = *schedule;
    if (swp_schedule_forms(schedule) == 1)
        return out;
    for (size_t i = 0; i < schedule->stream_count; i++)
        out.streams[i] = form_of_stream(&schedule->streams[i], form);
    out.loop.multiple = 1;
    if (form >= remainders(schedule)) {
        out.loop.min_tiles = form - remainders(schedule);
        out.loop.tiles_per_pass = 0;
    } else {
        out.loop.min_tiles += form;
    }
    return out;
}

int swp_schedule_form_of(const swp_schedule *schedule, int n)
{
    SWP_REQUIRE_OR(0, schedule);
    const swp_loop_shape *loop = &schedule->loop;
    if (n < 0 || loop->tiles_per_pass < 1)
        return loop->tiles_per_pass == 0 && n == loop->min_tiles ? 0 : -1;
    if (n < loop->min_tiles)
        return remainders(schedule) + n < swp_schedule_forms(schedule) ? remainders(schedule) + n
                                                                       : -1;
    const int rest = (n - loop->min_tiles) % loop->tiles_per_pass;
    if (loop->multiple < 1 || n % loop->multiple != 0 || rest >= remainders(schedule))
        return -1;
    return rest;
}

int swp_ir_form_at(const swp_schedule *schedule, swp_phase phase, int n)
{
    const int form = phase == SWP_EPILOGUE ? swp_schedule_form_of(schedule, n) : 0;
    return form > 0 ? form : 0;
}

const swp_entry *swp_ir_entry_of(const swp_schedule *schedule, int number, int form,
                                 swp_phase phase, int entry)
{
    const swp_stream *stream = &schedule->streams[number];
    const swp_entry_list *entries = swp_stream_phase(stream, phase);
    if (phase == SWP_EPILOGUE && form >= remainders(schedule))
        entries = &stream->tails.straight[form - remainders(schedule)];
    else if (phase == SWP_EPILOGUE && form > 0)
        entries = &stream->tails.epilogues[form - 1];
    const bool there = entry >= 0 && (size_t)entry < entries->count;
    return there ? &entries->items[entry] : NULL;
}

const char *swp_ir_list_name(const swp_schedule *schedule, int form, swp_phase phase,
                             char name[SWP_LIST_NAME_SIZE])
{
    const int with_passes = remainders(schedule);
    if (phase != SWP_EPILOGUE || form == 0)
        (void)snprintf(name, SWP_LIST_NAME_SIZE, "%s", swp_phase_name(phase));
    else if (form < with_passes)
        (void)snprintf(name, SWP_LIST_NAME_SIZE, "epilogue_%d", form);
    else
        (void)snprintf(name, SWP_LIST_NAME_SIZE, "straight_%d", form - with_passes);
    return name;
}

swp_place swp_ir_place_of_op(const swp_schedule *schedule, const char *name)
{
    const swp_loop *loop = schedule->dataflow ? schedule->dataflow->loop : NULL;
    for (size_t i = 0; loop && i < loop->op_count; i++)
        if (strcmp(loop->ops[i].name, name) == 0)
            return loop->ops[i].place;
    return loop ? loop->place : (swp_place){NULL, 0, 0};
}
