/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of random drafts share. */
#ifndef TEST_JUDGES_ROLES_SHAPE_H
#define TEST_JUDGES_ROLES_SHAPE_H

#include "random.h"
#include "roles_lines.h"

enum { SHAPE_MOST_RINGS = 2, SHAPE_MOST_STAGES = 3 };

/* Copies that share their mbarriers. */
typedef struct shape_ring {
    int slots;
    int full;
    int empty;
    int values[2];
    int value_count;
    int distance; /* of the oldest version that is read */
} shape_ring;

typedef struct shape {
    draft *d;
    test_random *random;
    shape_ring rings[SHAPE_MOST_RINGS];
    int ring_count;
    draft_body *consumer;
    int stage; /* of the consumers' work */
    int lag;   /* steps after which they give a slot back */
    bool arrive_by_all;
    int own;        /* named barrier of each consumer instance alone; -1: none yet */
    bool has_tiles; /* the accumulator is read in each iteration */
} shape;

bool shape_chance(const shape *s, int percent);
int shape_pick(const shape *s, int least, int most);

/* A line of the consumers, at a stage or at that of their work. */
draft_line *shape_line_at(const shape *s, swp_op op, int stage);
draft_line *shape_line(const shape *s, swp_op op);

/* The threads of each instance of the consumers meet. */
void shape_meet(shape *s, int stage);

/* What the consumers do with the rings. @return the accumulator's value */
int shape_multiply(shape *s);
int shape_attend(shape *s);
int shape_add_up(shape *s);

/* What becomes of the accumulator in each iteration. */
void shape_store(shape *s, int accumulator);
void shape_store_in_halves(shape *s, int accumulator);
void shape_hand_on_by_ring(shape *s, int accumulator);
void shape_hand_on_by_barriers(shape *s, int accumulator);

#endif
