/* SPDX-License-Identifier: Apache-2.0 */
/* Refuses entries that have no meaning in the schedule's cluster of work groups (docs/roles-reference.md, "Clusters"). */
#include "ir/entry.h"
#include "ir/roles.h"

/* What entries may not be. The first that holds is told. */
typedef enum entry_rule {
    ALONE_TO_ALL,
    ALONE_MEETS,
    ALONE_MULTICAST,
    TO_ALL,
    NO_COPY,
    INSTANCES,
    RULES
} entry_rule;

static const swp_ir_problem entry_rules[] = {
    [ALONE_TO_ALL] = {"it arrives in all work groups of a cluster, and there is one",
                      "let `cluster` be their number, or `to` be own"},
    [ALONE_MEETS] = {"it is of a cluster's barrier, and there is one work group",
                     "let `cluster` be their number, or use `barrier`"},
    [ALONE_MULTICAST] = {"its op is a multicast, and there is one work group",
                         "let `cluster` be their number, or leave `multicast` out"},
    [TO_ALL] = {"it goes to all work groups, and only `arrive` may", "let `to` be own"},
    [NO_COPY] = {"its op is a multicast, and no tensor copy",
                 "only ops of completion copy_mbarrier are"},
    [INSTANCES] = {"its op is a multicast, and its role has several instances",
                   "let a role with one instance do it"},
};

static bool breaks(entry_rule rule, const swp_schedule *schedule, const swp_stream *stream,
                   const swp_op *op)
{
    const bool is_alone = swp_ir_ranks(schedule) == 1;
    const swp_loop_op *work = swp_ir_loop_op(schedule, op);
    const bool is_multicast = work && work->multicast;
    switch (rule) {
    case ALONE_TO_ALL:
        return is_alone && op->to != SWP_TO_OWN;
    case ALONE_MEETS:
        return is_alone && (op->tag == SWP_TAG_CLUSTER_ARRIVE || op->tag == SWP_TAG_CLUSTER_WAIT);
    case ALONE_MULTICAST:
        return is_alone && is_multicast;
    case TO_ALL:
        return op->to != SWP_TO_OWN && op->tag != SWP_TAG_ARRIVE;
    case NO_COPY:
        return is_multicast && work->completion != SWP_COMPLETION_COPY_MBARRIER;
    case INSTANCES:
        return is_multicast && stream->instances > 1;
    case RULES:
        break;
    }
    return false;
}

const swp_ir_problem *swp_ir_cluster_problem(const swp_schedule *schedule, const swp_stream *stream,
                                             const swp_op *op)
{
    for (entry_rule rule = ALONE_TO_ALL; rule < RULES; rule++)
        if (breaks(rule, schedule, stream, op))
            return &entry_rules[rule];
    return NULL;
}
