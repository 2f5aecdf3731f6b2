/* SPDX-License-Identifier: Apache-2.0 */
/* What a program is like, so that a corpus can count how many of each sort it has. */
#ifndef TEST_ANSWERS_TRAITS_H
#define TEST_ANSWERS_TRAITS_H

#include "swp/compile.h"

/* X(identifier, word). A run of a few passes shows those from ANSWERS_WRAPS on. */
#define ANSWERS_TRAITS(X)                                                                          \
    X(LAG, "lag")                                                                                  \
    X(MANAGED, "managed")                                                                          \
    X(RAW_REGISTERS, "raw_registers")                                                              \
    X(SCOREBOARD, "scoreboard")                                                                    \
    X(FENCED, "fenced_barrier")                                                                    \
    X(RAW_BARRIER, "raw_barrier")                                                                  \
    X(ONE_WAVE, "one_wave")                                                                        \
    X(STRAIGHT, "straight_list")                                                                   \
    X(OUTPUT_TILES, "output_tiles")                                                                \
    X(CLUSTER, "cluster")                                                                          \
    X(WRAPS, "counter_wraps")                                                                      \
    X(STALLS, "counter_stalls")                                                                    \
    X(GROWS, "counter_grows")                                                                      \
    X(TAIL, "tail")                                                                                \
    X(UNUSED_PROLOGUE, "prologue_read_unused")                                                     \
    X(UNOBSERVED, "fragment_unobserved")

typedef enum answers_trait {
#define ANSWERS_ENUMERATOR(identifier, word) ANSWERS_##identifier,
    ANSWERS_TRAITS(ANSWERS_ENUMERATOR)
#undef ANSWERS_ENUMERATOR
        ANSWERS_TRAIT_COUNT
} answers_trait;

const char *answers_trait_word(answers_trait trait);

/* The traits as bits. */
unsigned answers_traits(const swp_schedule *schedule);

static inline bool answers_has(unsigned traits, answers_trait trait)
{
    return traits >> trait & 1;
}

#endif
