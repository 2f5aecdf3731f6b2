/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A draft of a schedule with warp roles: what each role does in one iteration, and how many steps later. Its lists for
 * any number of iterations follow from that.
 */
#ifndef TEST_JUDGES_ROLES_DRAFT_H
#define TEST_JUDGES_ROLES_DRAFT_H

#include "swp/compile.h"
#include "swp/loop.h"

enum {
    DRAFT_MOST_LINES = 40,
    DRAFT_MOST_BODIES = 5,
    DRAFT_MOST_VALUES = 10,
    DRAFT_MOST_OPS = 16,
    DRAFT_MOST_OBJECTS = 12
};

/* When in a run a line is there. */
typedef enum draft_when {
    DRAFT_EACH,  /* for each iteration i, in step i + stage */
    DRAFT_FIRST, /* once, before all else */
    DRAFT_LAST   /* once, after all else */
} draft_when;

typedef struct draft_line {
    swp_op op; /* its iteration counts from the line's own */
    draft_when when;
    int stage;
    int least; /* only for iterations from this one on… */
    int cut;   /* …and not for so many last ones */
    int commit; /* of a wait for groups: the line of the commit that it is for; -1: as the op says… */
    int distance; /* …so many iterations before its own */
} draft_line;

typedef struct draft_body {
    const char *name;
    int warps;
    int instances;
    int ahead; /* steps in the prologue: from its last stage up to the least number of iterations */
    draft_line lines[DRAFT_MOST_LINES];
    int count;
} draft_body;

typedef struct draft {
    swp_context *ctx; /* owns all that the schedule points to */
    draft_body bodies[DRAFT_MOST_BODIES];
    int body_count;
    swp_loop_value values[DRAFT_MOST_VALUES];
    int slots[DRAFT_MOST_VALUES];
    int value_count;
    swp_loop_op ops[DRAFT_MOST_OPS];
    int op_count;
    swp_role_object objects[DRAFT_MOST_OBJECTS];
    int object_count;
    int tiles_per_pass;
    int min_tiles;
    bool only_whole_passes; /* without lists for other numbers of iterations */
} draft;

draft_body *draft_add_body(draft *d, const char *name, int warps, int instances);
int draft_add_value(draft *d, const char *name, swp_space space, int slots);
int draft_add_mbarrier(draft *d, const char *name, int slots, int arrivals);
int draft_add_named_barrier(draft *d, const char *name, int slots, int threads);

/* An op that touches nothing yet. @return its number, which is its tag too */
int draft_add_op(draft *d, const char *name, swp_completion completion);
void draft_reads(draft *d, int op, int value, int distance);
void draft_writes(draft *d, int op, int value);
void draft_updates(draft *d, int op, int value);

/* Appends a line of the iteration. */
draft_line *draft_add_line(draft_body *body, swp_op op, int stage);

/* The largest stage. */
int draft_stages(const draft_body *body);

/* Memory of a context. */
void *draft_take(swp_context *ctx, size_t bytes);

/* All lists of a role. */
swp_stream draft_stream(const draft *d, const draft_body *body);

/* The schedule. `ahead` of each body is from its largest stage to `min_tiles`. */
swp_schedule draft_schedule(const draft *d);

#endif
