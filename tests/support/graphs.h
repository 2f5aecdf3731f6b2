/* SPDX-License-Identifier: Apache-2.0 */
/* Small graphs for the schedulers' tests. */
#ifndef TEST_SUPPORT_GRAPHS_H
#define TEST_SUPPORT_GRAPHS_H

#include "swp/graph.h"

/* A graph of these ops and of edges of distance 0 as text: "0>2 1>2". */
swp_loop_body graph_with(swp_context *ctx, swp_op_list ops, const char *edges);

/* Ops of one unit and latency: L global load, F fragment, M COMPUTE on MMA, V VALU, X none. */
swp_op unit_op(char unit, int latency);

/* An order of these indices. */
swp_order order_as(int *items, size_t count);
#define ORDER(...) order_as((int[]){__VA_ARGS__}, sizeof((int[]){__VA_ARGS__}) / sizeof(int))

#endif
