/* SPDX-License-Identifier: Apache-2.0 */
/* What the 32 threads of a warp have in a register: known numbers, or what an unknown one depends on. */
#ifndef SWP_AUDIT_PTX_VALUES_H
#define SWP_AUDIT_PTX_VALUES_H

#include "audit/ptx/ptx.h"

enum { SWP_PTX_LANES = 32, SWP_PTX_MOST_SOURCES = 3 };
#define SWP_PTX_ALL_LANES UINT32_MAX
/* What an unknown value depends on: a bit for each argument, … */
__extension__ typedef unsigned __int128 swp_ptx_sources;
#define SWP_PTX_SOURCE(number) ((swp_ptx_sources)1 << (number))
/* …and one for memory, or what is not followed. */
#define SWP_PTX_DATA SWP_PTX_SOURCE(127)

/* Of an unknown value that may be a generic address of shared memory; all of these lie in one window. */
#define SWP_PTX_SHARED_ADDRESS SWP_PTX_SOURCE(126)
#define SWP_PTX_WINDOW (UINT64_C(1) << 41)

/*
 * Of what a number is a linear function: periods that have been and that are to come, elements of a pass that is not full,
 * the number of the work group, from the first of a range on.
 */
typedef enum swp_ptx_count {
    SWP_PTX_BEFORE,
    SWP_PTX_TO_COME,
    SWP_PTX_ELEMENTS,
    SWP_PTX_GROUPS,
    SWP_PTX_COUNTS
} swp_ptx_count;

typedef enum swp_ptx_state {
    SWP_PTX_UNDEFINED, /* nothing has been written */
    SWP_PTX_UNKNOWN,
    SWP_PTX_UNIFORM, /* `one`, for all threads */
    SWP_PTX_VARYING
} swp_ptx_state;

typedef struct swp_ptx_value {
    swp_ptx_state state;
    swp_ptx_sources depends; /* of an unknown one */
    int term; /* of an unknown one that all threads have alike: which (terms.h); 0: none */
    uint32_t undefined; /* lanes that have no number, of a known one */
    uint32_t tokens;    /* lanes whose number is a token, not one to compute with */
    uint64_t one;
    uint64_t *lanes;               /* of 32 threads; room, once there was need */
    int64_t slope[SWP_PTX_COUNTS]; /* of known ones: what is added for each of a count */
} swp_ptx_value;

/* The greatest numbers for which a run is followed at once; 0: that count is none. */
typedef struct swp_ptx_counts {
    int64_t most[SWP_PTX_COUNTS];
} swp_ptx_counts;

static inline bool swp_ptx_is_affine(const swp_ptx_value *value)
{
    bool grows = false;
    for (int i = 0; i < SWP_PTX_COUNTS; i++)
        grows |= value->slope[i] != 0;
    return grows;
}

static inline bool swp_ptx_have_same_slopes(const swp_ptx_value *a, const swp_ptx_value *b)
{
    bool alike = true;
    for (int i = 0; i < SWP_PTX_COUNTS; i++)
        alike &= a->slope[i] == b->slope[i];
    return alike;
}

static inline uint32_t swp_ptx_first_lanes(int count)
{
    return count >= SWP_PTX_LANES ? SWP_PTX_ALL_LANES : (UINT32_C(1) << count) - 1;
}

static inline int swp_ptx_count_lanes(uint32_t lanes)
{
    int count = 0;
    for (; lanes; lanes &= lanes - 1)
        count++;
    return count;
}

static inline bool swp_ptx_known(const swp_ptx_value *value)
{
    return value->state == SWP_PTX_UNIFORM || value->state == SWP_PTX_VARYING;
}

static inline uint64_t swp_ptx_lane(const swp_ptx_value *value, int lane)
{
    return value->state == SWP_PTX_VARYING ? value->lanes[lane] : value->one;
}

/* Of some lanes, of which there is one at least. */
static inline int swp_ptx_first_lane(uint32_t lanes)
{
    int first = 0;
    while (!(lanes >> first & 1))
        first++;
    return first;
}

/* The lanes of some that have the number that the first of them has. */
uint32_t swp_ptx_lanes_alike(const swp_ptx_value *value, uint32_t lanes);

static inline swp_ptx_value swp_ptx_number(uint64_t number)
{
    return (swp_ptx_value){.state = SWP_PTX_UNIFORM, .one = number};
}

static inline swp_ptx_value swp_ptx_unknown(swp_ptx_sources depends)
{
    return (swp_ptx_value){.state = SWP_PTX_UNKNOWN, .depends = depends};
}

/* The state that mbarrier.arrive gives: which mbarrier it has arrived at, and in which of its phases. */
static inline swp_ptx_value swp_ptx_token(int mbarrier, int phase)
{
    return (swp_ptx_value){.state = SWP_PTX_UNIFORM,
                           .one = (uint64_t)mbarrier << 32 | (uint32_t)phase,
                           .tokens = SWP_PTX_ALL_LANES};
}
static inline int swp_ptx_mbarrier_of(uint64_t token)
{
    return (int)(token >> 32);
}
static inline int swp_ptx_phase_of(uint64_t token)
{
    return (int)(uint32_t)token;
}
/* Whether some of the lanes have a token. */
bool swp_ptx_has_token(const swp_ptx_value *value, uint32_t lanes);

static inline bool swp_ptx_in_window(uint64_t address)
{
    return address >> 32 == SWP_PTX_WINDOW >> 32;
}
/* SWP_PTX_SHARED_ADDRESS, if that is what some thread may have. */
swp_ptx_sources swp_ptx_address_bit(const swp_ptx_value *value);

/* What an instruction computes of numbers; false: that is not followed. */
bool swp_ptx_compute(const swp_ptx_insn *insn, const uint64_t *sources, int count, uint64_t *out);

/* Of those that pick bits. */
bool swp_ptx_compute_bits(const swp_ptx_insn *insn, const uint64_t *sources, uint64_t *out);

/*
 * The same for all threads: known where all sources are, or where one decides alone. `room` has space for 32 lanes, which
 * the result may take.
 */
swp_ptx_value swp_ptx_evaluate(const swp_ptx_insn *insn, const swp_ptx_value *sources, int count,
                               uint64_t *room);

/* The same where a source grows with a count; unknown where its result is no such number. */
swp_ptx_value swp_ptx_evaluate_affine(const swp_ptx_insn *insn, const swp_ptx_value *sources,
                                      int count, const swp_ptx_counts *counts, uint64_t *room);

enum { SWP_PTX_LESS = 2 };
/* Of setp, by the number of its relation. */
bool swp_ptx_relation_holds(int relation, uint64_t a, uint64_t b, bool is_signed);

/* What a source is read as: an amount of a shift, a predicate and a wide addend are no numbers of the type. */
swp_ptx_type swp_ptx_type_of_source(const swp_ptx_insn *insn, int index);

/* Of two numbers that are extended as the type says; of unsigned ones the product of their 64 bits. */
__extension__ typedef __int128 swp_ptx_wide;
static inline swp_ptx_wide swp_ptx_product(uint64_t a, uint64_t b, swp_ptx_type type)
{
    __extension__ typedef unsigned __int128 unsigned_wide;
    return type.is_signed ? (swp_ptx_wide)(int64_t)a * (int64_t)b
                          : (swp_ptx_wide)((unsigned_wide)a * b);
}

/* Sign or zero extended from the width of a type. */
uint64_t swp_ptx_extend(uint64_t number, swp_ptx_type type);

#endif
