/* SPDX-License-Identifier: Apache-2.0 */
/* The control-flow graph of a function: basic blocks, loops, and where divergent waves reconverge. */
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
    int rpo_number; /* in reverse postorder: of forward edges the target has the larger */
    /* The immediate one, where waves that diverge here reconverge; SWP_NO_BLOCK: the function's end. */
    int post_dominator;
    int loop; /* innermost loop that it is in; -1: none */
} swp_block;

typedef struct swp_flow_loop {
    int header; /* block */
    int last;   /* instruction of the last back edge */
    int outer;  /* loop that it is in; -1: none */
    bool innermost;
    int blocks; /* how many it has */
} swp_flow_loop;

typedef struct swp_flow {
    const char *file;
    const swp_machine_code *code;
    const swp_function *function;
    swp_block *blocks;
    int block_count;
    int *rpo; /* reached blocks in reverse postorder */
    int reached_count;
    swp_flow_loop *loops; /* by their first line; headers are distinct */
    int loop_count;
} swp_flow;

/* Of what is said of the function as a whole. */
swp_place swp_flow_place(const swp_flow *flow);

/* Marks all that a wave may run from the successor `side` of a block until it reconverges. */
void swp_flow_mark_influence_region(const swp_flow *flow, int block, int side, bool *region);

/* Marks all that is reachable from `first`, itself included, without passing `until`. */
void swp_flow_mark_reachable(const swp_flow *flow, int first, int until, bool *region);

/* Whether the branch at the end of a block may leave a loop that the block is in. */
bool swp_flow_leaves_loop(const swp_flow *flow, int block);

swp_status swp_flow_build(swp_context *ctx, const char *file, const swp_machine_code *code,
                          const swp_function *function, swp_flow *out);

/* A step of it: the post-dominator of each block. */
swp_status swp_flow_find_post_dominators(swp_context *ctx, swp_flow *flow);

/* Its last step: the loops, from blocks in reverse postorder. */
swp_status swp_flow_find_loops(swp_context *ctx, swp_flow *flow);

/* Whether a block is in a loop, or in a loop within. */
bool swp_flow_in_loop(const swp_flow *flow, int loop, int block);

/* The block of an instruction of the function. */
int swp_flow_block_of(const swp_flow *flow, int insn);

/* Whether the edge leads back in reverse postorder: to the header of a loop that `from` is in. */
bool swp_flow_is_back_edge(const swp_flow *flow, int from, int to);

#endif
