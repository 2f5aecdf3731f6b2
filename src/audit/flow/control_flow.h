/* SPDX-License-Identifier: Apache-2.0 */
/* The basic blocks of a function, its loops, and where its branches meet again. */
#ifndef SWP_AUDIT_FLOW_CONTROL_FLOW_H
#define SWP_AUDIT_FLOW_CONTROL_FLOW_H

#include "audit/code/insn.h"

enum { SWP_NO_BLOCK = -1 };

typedef struct swp_block {
    int first; /* instructions */
    int end;
    int successors[2]; /* the branch's target is the last one */
    int successor_count;
    bool reached;
    int order; /* in a depth-first search, reversed: of forward edges the target has the larger */
    /* The first block that every path from here passes which does not go back; SWP_NO_BLOCK: the end. */
    int meets;
    /* The same of all paths, those that go back among them: there waves that part here are together. */
    int rejoins;
    int loop; /* innermost loop that it is in; -1: none */
} swp_block;

typedef struct swp_flow_loop {
    int header; /* block */
    int last;   /* instruction that goes back */
    int outer;  /* loop that it is in; -1: none */
    bool innermost;
    int blocks; /* how many it has */
} swp_flow_loop;

typedef struct swp_flow {
    const swp_machine_code *code;
    const swp_function *function;
    swp_block *blocks;
    int block_count;
    int *sequence; /* reached blocks, forward edges leading on */
    int reached_count;
    swp_flow_loop *loops; /* by their first line; headers are distinct */
    int loop_count;
} swp_flow;

/*
 * Marks all that a wave may come to from the successor `side` of a block until it is where ways meet
 * again.
 */
void swp_flow_mark_way(const swp_flow *flow, int block, int side, bool *region);

/* Marks all that `first` leads to, itself included, without passing `until`. */
void swp_flow_mark_reached(const swp_flow *flow, int first, int until, bool *region);

/* Whether the branch at the end of a block may leave a loop that the block is in. */
bool swp_flow_leaves_loop(const swp_flow *flow, int block);

swp_status swp_flow_build(swp_context *ctx, const char *file, const swp_machine_code *code,
                          const swp_function *function, swp_flow *out);

/* A step of it: where all ways from each block meet. */
swp_status swp_flow_find_post_dominators(swp_context *ctx, swp_flow *flow);

/* Its last step: the loops, from blocks in their order. */
swp_status swp_flow_find_loops(swp_context *ctx, swp_flow *flow);

/* Whether a loop holds the block, itself or in a loop within. */
bool swp_flow_in_loop(const swp_flow *flow, int loop, int block);

/* The block of an instruction of the function. */
int swp_flow_block_of(const swp_flow *flow, int insn);

/* Whether the edge goes back to the header of a loop that `from` is in. */
bool swp_flow_goes_back(const swp_flow *flow, int from, int to);

#endif
