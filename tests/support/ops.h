/* SPDX-License-Identifier: Apache-2.0 */
/* Ops for tests, and ops written as text so that a test reads like the chapter it tests. */
#ifndef TEST_SUPPORT_OPS_H
#define TEST_SUPPORT_OPS_H

#include "swp/types.h"

enum {
    TAG_LOAD_A = 0,
    TAG_LOAD_B = 1,
    TAG_FRAG_A = 3,
    TAG_FRAG_B = 4,
    TAG_MMA = 5,
    TAG_STORE = 6,
    TAG_VALU = 7,
    TAG_OTHER = 8
};

/* Ops with the roles, units and costs of MI355X. Channel 0 is A, 1 is B. */
swp_op load_op(int channel, int stage, int subtile, swp_k_offset k_offset);
swp_op frag_op(int channel, int stage, int subtile);
swp_op mma_op(int row, int column);
swp_op store_op(int channel, int stage, int subtile);

/* An op of a role and latency and nothing else. */
swp_op plain_op(swp_role role, swp_resource resource, int latency);

/* Whether every field agrees. */
bool same_op(const swp_op *a, const swp_op *b);

/*
 * Fails unless the ops are those of `text`, separated by spaces:
 *   LA01@k0   load of A, stage 0, subtile 1, at K0;  FB10  fragment of B, stage 1, subtile 0
 *   M01       COMPUTE of row 0, column 1;  S00 store;  bar  barrier;  vm4, lgkm0  waits
 *   prio1     set_prio;  sb  schedule_barrier;  sgb1x2  sched_group_barrier, mask 1, count 2
 * In entries a prefetch load ends with a star.
 */
void expect_ops(const swp_op_list *ops, const char *text, const char *file, int line);
void expect_entries(const swp_entry_list *entries, const char *text, const char *file, int line);
#define assert_ops(ops, text) expect_ops((ops), (text), __FILE__, __LINE__)
#define assert_entries(entries, text) expect_entries((entries), (text), __FILE__, __LINE__)

/* Fails unless the edges are those of `text`: "0>1 flow0, 2>0 anti1", in this order. */
void expect_edges(const swp_edge_list *edges, const char *text, const char *file, int line);
#define assert_edges(edges, text) expect_edges((edges), (text), __FILE__, __LINE__)

/* Fails unless the order is that of `text`: "0 2 1". */
void expect_order(const swp_order *order, const char *text, const char *file, int line);
#define assert_order(order, text) expect_order((order), (text), __FILE__, __LINE__)

/* How many entries are ops of a tag. */
int count_tag(const swp_entry_list *entries, int tag);

/* A list over ops of the caller's. */
swp_op_list list_of(swp_op *ops, size_t count);
#define OPS(...) list_of((swp_op[]){__VA_ARGS__}, COUNT_OF(((swp_op[]){__VA_ARGS__})))

#endif
