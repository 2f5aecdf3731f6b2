/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses to shared memory that may still have to be waited for, and the pieces that they are kept in. */
#ifndef SWP_AUDIT_PTX_ACCESSES_H
#define SWP_AUDIT_PTX_ACCESSES_H

#include "audit/ptx/clocks.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An access to shared memory that may still have to be waited for. */
typedef struct swp_ptx_access {
    int64_t low;
    int64_t high; /* behind the last byte */
    bool writes;
    bool is_async;  /* by the async proxy */
    bool is_atomic; /* two of these may come in any order */
    bool unsure;    /* memory decides whether it happens */
    bool guessed;   /* it happens if a box is as large as its room is (boxes.c) */
    bool of_data;   /* it stores what is not known */
    bool of_one;    /* all of its threads store one number that is known: `one` */
    bool of_rows;   /* a wgmma reads A, of which each of its warps may have its own rows alone */
    int component;  /* who is beyond `value` there has waited for it */
    int value;
    int chain;
    int event; /* of the chain */
    int insn;
    int passed_chain; /* the last access that came behind it, of which other bytes come, too */
    int passed_event; /* 0: none has */
    uint64_t one;
} swp_ptx_access;

/* Who is beyond `value` of this component has a proxy fence behind the write: one behind its wait, where it is a copy's. */
static inline int swp_ptx_fenced_by(const swp_ptx_access *access, int *value)
{
    const bool copied = access->component >= SWP_PTX_CLOCK_COPIES &&
                        access->component < SWP_PTX_CLOCK_FENCED_COPIES;
    *value = copied ? access->value : access->event;
    return (copied ? SWP_PTX_CLOCK_FENCED_COPIES : SWP_PTX_CLOCK_FENCED) + access->chain;
}

/* Where copies may overwrite it without more being asked, if they come behind. */
static inline bool swp_ptx_is_ordinary(const swp_ptx_access *access)
{
    return !access->is_async && access->component == access->chain;
}

typedef struct swp_ptx_accesses {
    swp_ptx_access *items;
    size_t count;
    size_t capacity;
} swp_ptx_accesses;

/* Accesses are cut into pieces that are kept by where they are, so that only those near by are looked at; long ones are kept apart, behind. */
enum {
    SWP_PTX_BUCKET_BYTES = 128,
    SWP_PTX_BUCKETS = 2048,
    SWP_PTX_LONG_SHELF_BYTES = 8192,
    SWP_PTX_LONG_SHELVES = SWP_PTX_BUCKETS * SWP_PTX_BUCKET_BYTES / SWP_PTX_LONG_SHELF_BYTES,
    SWP_PTX_ALL_SHELVES = SWP_PTX_BUCKETS + SWP_PTX_LONG_SHELVES,
    SWP_PTX_MOST_SHARED = SWP_PTX_BUCKETS * SWP_PTX_BUCKET_BYTES /* bytes that no work group has */
};

#endif
