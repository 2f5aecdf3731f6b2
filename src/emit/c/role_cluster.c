/* SPDX-License-Identifier: Apache-2.0 */
/* What arrivals at other work groups of a cluster have to release (docs/c-header.md, "Clusters"). */
#include "emit/c/roles.h"
#include "ir/loop_dataflow.h"
#include "swp/loop.h"

typedef struct arrival_search {
    swp_arrival_target to;
    int object; /* -1: any */
} arrival_search;

/* Ends the visit at an arrival like that. */
static swp_status find_arrival(void *user, const swp_stream *stream, const swp_entry *entry)
{
    const arrival_search *s = user;
    (void)stream;
    return entry->op.tag == SWP_TAG_ARRIVE && entry->op.to == s->to &&
                   (s->object < 0 || entry->op.object == s->object)
               ? SWP_STOPPED
               : SWP_OK;
}

static bool arrives_at(const swp_schedule *schedule, swp_arrival_target to, int object)
{
    arrival_search s = {to, object};
    for (size_t i = 0; i < schedule->stream_count; i++)
        if (swp_c_visit_role(&schedule->streams[i], find_arrival, &s) != SWP_OK)
            return true;
    return false;
}

bool swp_c_arrives(const swp_schedule *schedule, swp_arrival_target to)
{
    return arrives_at(schedule, to, -1);
}

static bool is_multicast(const swp_loop *loop, int value)
{
    for (size_t i = 0; i < loop->op_count; i++)
        if (loop->ops[i].multicast && swp_ir_loop_makes(&loop->ops[i], value))
            return true;
    return false;
}

static bool reads_in_order(const swp_loop *loop, const swp_loop_op *op)
{
    const bool is_ordinary =
        op->completion == SWP_COMPLETION_NONE || op->completion == SWP_COMPLETION_UNSTATED;
    for (size_t i = 0; is_ordinary && i < op->read_count; i++)
        if (is_multicast(loop, op->reads[i].value))
            return true;
    return false;
}

bool swp_c_releases_reads(const swp_schedule *schedule)
{
    const swp_loop *loop = schedule->dataflow->loop;
    for (size_t i = 0; i < loop->op_count; i++)
        if (reads_in_order(loop, &loop->ops[i]))
            return true;
    return false;
}

bool swp_c_acquires_reads(const swp_schedule *schedule, int object)
{
    return swp_c_releases_reads(schedule) && arrives_at(schedule, SWP_TO_ALL, object);
}
