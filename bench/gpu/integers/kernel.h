/* SPDX-License-Identifier: Apache-2.0 */
/* What a generated kernel tells check.cu about itself: its loop, as ops over values. */
#ifndef SWP_BENCH_KERNEL_H
#define SWP_BENCH_KERNEL_H

#include <cstddef>
#include <cstdint>
#include <vector_types.h>

/* Inputs and outputs of a launch, and what disturbs it: before an op a lane that is slow pauses in `odds` of
 * 256 cases, for up to `span` ns (a power of 2, less 1). */
struct launch {
    const uint4 *inputs;
    size_t inputs_of_block;
    uint4 *stored; /* by block, iteration and thread */
    uint4 *sums;   /* by block, sum and thread */
    int tiles;
    uint32_t seed, odds, span, slow_lanes;
    int slow_warp; /* -1: all warps are */
};

enum { MOST_OPERANDS = 8 };

/* The version of `before` iterations ago: of a register value, or of the place that load number `load` (if not
 * -1) fills. */
struct operand {
    int value, load, before;
};

/* An op of the sequential loop. Its sum begins with its number and iteration, then comes what it reads. That is the
 * new version of what it makes, and is added to sum number `sum`, or is stored. */
struct op {
    int number, read_count;
    operand reads[MOST_OPERANDS];
    int make_count, makes[MOST_OPERANDS];
    int sum;
    bool stores;
};

struct kernel {
    const char *name;
    void (*run)(launch);
    int (*legal)(int tiles);
    const op *ops;
    int op_count, value_count, load_count, sum_count;
    bool stores;
    int threads, chunks, places;
};

#endif
