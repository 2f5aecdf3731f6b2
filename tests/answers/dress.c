/* SPDX-License-Identifier: Apache-2.0 */
#include "dress.h"

#include "swp/config.h"
#include "swp/loop.h"

static bool is_work(const swp_op *op)
{
    return op->tag < SWP_FIRST_INFRASTRUCTURE_TAG || op->tag > SWP_TAG_NONE;
}

static void dress_list(const swp_entry_list *list, bool has_roles)
{
    for (size_t i = 0; i < list->count; i++) {
        swp_op *op = &list->items[i].op;
        if (has_roles)
            op->role = is_work(op) ? SWP_ROLE_NONE : SWP_SYNC;
        list->items[i].is_prefetch = list->items[i].is_prefetch && op->role == SWP_GLOBAL_LOAD;
    }
}

static void dress_stream(const swp_stream *stream, bool has_roles)
{
    for (int phase = SWP_PROLOGUE; phase <= SWP_DRAIN; phase++)
        dress_list(swp_stream_phase(stream, (swp_phase)phase), has_roles);
    for (size_t i = 0; i < stream->tails.epilogue_count; i++)
        dress_list(&stream->tails.epilogues[i], has_roles);
    for (size_t i = 0; i < stream->tails.straight_count; i++)
        dress_list(&stream->tails.straight[i], has_roles);
}

static void name_ops(const swp_loop *loop, const char *names[SWP_SCHEDULE_TAGS])
{
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++)
        names[tag] = "?";
    for (size_t i = 0; i < loop->op_count; i++)
        names[swp_tag_of_loop_op((int)i)] = loop->ops[i].name;
}

swp_schedule answers_dress(const swp_schedule *schedule, const char *names[SWP_SCHEDULE_TAGS])
{
    swp_schedule out = *schedule;
    const bool has_roles = schedule->streams[0].warps > 0;
    for (size_t s = 0; s < out.stream_count; s++)
        dress_stream(&out.streams[s], has_roles);
    out.name = "case";
    out.target = "";
    if (has_roles) {
        out.loop.m_mmas = out.loop.n_mmas = 1;
        name_ops(schedule->dataflow->loop, names);
        out.op_names = names;
        out.config = swp_pipeline_config_default();
        out.schedule = swp_schedule_config_default();
    }
    return out;
}
