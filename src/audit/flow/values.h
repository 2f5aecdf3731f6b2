/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Abstract values: a word for every thread of the workgroup, or the producer, an LDS read or an MMA; the
 * least known one is none. Equal values have equal numbers.
 */
#ifndef SWP_AUDIT_FLOW_VALUES_H
#define SWP_AUDIT_FLOW_VALUES_H

#include "audit/code/insn.h"

enum { SWP_WAVE = 64, SWP_MOST_WAVES = 16, SWP_MOST_THREADS = SWP_WAVE * SWP_MOST_WAVES };

/* A bit for each wave. */
typedef uint32_t swp_wave_set;
#define SWP_ALL_WAVES UINT32_MAX

/* The number of no known value. */
enum { SWP_VALUE_NONE = 0, SWP_PART_UNKNOWN = -1 };

/* The producer of addresses that a kernel is given; the part is the register that they begin in. */
enum { SWP_EVENT_NONE = -1, SWP_EVENT_CONSTANTS = -2, SWP_EVENT_PRESUMED = -3 };

/* A word of which some bits are not known; those are 0 in `word`. */
typedef struct swp_bits {
    uint32_t word;
    uint32_t unknown;
} swp_bits;

typedef struct swp_value {
    const uint32_t *words;   /* one a thread; NULL: not known, but the producer */
    const uint32_t *unknown; /* of each word, the bits that are not known; NULL: all are */
    int event;               /* the producer; SWP_EVENT_NONE, or another such number */
    int part;                /* which of its registers; SWP_PART_UNKNOWN: some, converted */
    unsigned differing;      /* bits of the thread's number that the words depend on */
} swp_value;

typedef struct swp_values {
    swp_context *ctx;
    swp_value *items; /* by number; the first is none */
    size_t count;
    size_t capacity;
    int *buckets;
    struct swp_computed *computed; /* what operations on them gave */
    int threads;                   /* of whole waves */
    int present;                   /* of those; lanes of the last wave may be missing */
    int full[2];                   /* numbers of exec with all lanes on that are there */
    /* What waves read at one point of a program may differ: they may be there between other barriers. */
    bool reads_differ;
    uint32_t scratch[SWP_MOST_THREADS];
    uint32_t scratch_unknown[SWP_MOST_THREADS];
    swp_status status; /* the first failure sticks */
} swp_values;

/* Waves of a workgroup, the last of which may not be full. */
int swp_flow_function_waves(const swp_function *function);

swp_status swp_flow_values_init(swp_context *ctx, int waves, swp_values *out);

/* The number of the value in `values->scratch`; none if there are too many values. */
int swp_flow_values_add(swp_values *values);

/* The same with the bits in `values->scratch_unknown` not known; none if no bit is. */
int swp_flow_values_add_bits(swp_values *values);

/* Puts a thread's word into both. */
void swp_flow_values_set_bits(swp_values *values, int thread, swp_bits bits);

/* The join of two values: the bits that are the same. */
int swp_flow_values_join(swp_values *values, int first, int second);
swp_bits swp_flow_bits_join(swp_bits a, swp_bits b);

/* The number of a value that all threads share. */
int swp_flow_values_uniform(swp_values *values, uint32_t word);

int swp_flow_values_produced(swp_values *values, int event, int part);

/* The words of a value; NULL if they are not known, in all bits. */
const uint32_t *swp_flow_values_words(const swp_values *values, int number);

/* What is known of a thread's word. */
static inline swp_bits swp_flow_values_bits(const swp_values *values, int number, int thread)
{
    const swp_value *value = &values->items[number];
    if (!value->words)
        return (swp_bits){0, UINT32_MAX};
    return (swp_bits){value->words[thread], value->unknown ? value->unknown[thread] : 0};
}

/* Whether all threads have the same word. */
bool swp_flow_values_is_uniform(const swp_values *values, const uint32_t *words);

#endif
