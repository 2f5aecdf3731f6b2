/* SPDX-License-Identifier: Apache-2.0 */
#include "graphs.h"

#include "fixture.h"
#include "ops.h"

#include <stdlib.h>

swp_loop_body graph_with(swp_context *ctx, swp_op_list ops, const char *edges)
{
    swp_edge_list list = {0};
    swp_loop_body body;
    char *next = NULL;
    for (const char *text = edges; *text; text = next) {
        const int producer = (int)strtol(text, &next, 10);
        const int consumer = (int)strtol(next + 1, &next, 10);
        assert_ok(ctx, swp_edge_list_push(ctx, &list, (swp_edge){producer, consumer, SWP_FLOW, 0}));
    }
    assert_ok(ctx, swp_loop_body_init(ctx, ops.items, ops.count, &list, &body));
    return body;
}

swp_op unit_op(char unit, int latency)
{
    switch (unit) {
    case 'L':
        return plain_op(SWP_GLOBAL_LOAD, SWP_GLOBAL_MEM, latency);
    case 'F':
        return plain_op(SWP_FRAGMENT_LOAD, SWP_LDS, latency);
    case 'M':
        return plain_op(SWP_COMPUTE, SWP_MMA_UNIT, latency);
    case 'V':
        return plain_op(SWP_VALU_COMPUTE, SWP_VALU, latency);
    default:
        return plain_op(SWP_ROLE_NONE, SWP_RESOURCE_NONE, latency);
    }
}

swp_order order_as(int *items, size_t count)
{
    return (swp_order){items, count, count};
}
