/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of the boxes of tensor maps, and of the bytes that phases expect of them. */
#ifndef SWP_AUDIT_PTX_BOXES_H
#define SWP_AUDIT_PTX_BOXES_H

#include "swp/audit.h"

/* What a phase expects of its copies: the boxes of these maps bring so many bytes together. */
typedef struct swp_ptx_equation {
    uint64_t *maps; /* sorted */
    size_t count;
    int64_t bytes;
    int insn;
    int run; /* the last that it was said in */
    bool computed;
    bool stores;                 /* what is stated is of a map that a store has used */
    const swp_audit_box *stated; /* by the launch, and no phase says it; NULL: a phase does */
} swp_ptx_equation;

/* The boxes of a tensor map. */
typedef struct swp_ptx_size {
    uint64_t map;
    int64_t bytes; /* that follow from what phases expect… */
    int64_t guess; /* …or by the room that there was… */
    size_t places; /* …between so many places */
} swp_ptx_size;

typedef struct swp_ptx_sizes {
    swp_ptx_size *items;
    size_t count;
    size_t capacity;
} swp_ptx_sizes;

typedef struct swp_ptx_equations {
    swp_ptx_equation *items;
    size_t count;
    size_t capacity;
    swp_ptx_sizes sizes; /* of all maps that stand in them */
    int run;             /* that is followed: boxes have one size in a launch, not in all of them */
    bool changed; /* some is known to be another one than it was taken to be in a run before */
    bool settled; /* some that was taken from the room is known now */
    bool guessed; /* some is taken from the room, of copies whose bytes are computed */
    int *
        byte_arguments; /* of registers: which of them says how many bytes are expected, and 2; 1: none, 0: not looked for */
    char *constants;    /* of registers that bytes are expected by: constant_sources.c */
} swp_ptx_equations;

/* A copy of a phase of which an argument says how many bytes it expects. */
typedef struct swp_ptx_byte_copy {
    int argument;
    int phase;
    uint64_t map;
    int64_t to;
    int64_t bytes; /* -1: its map says */
} swp_ptx_byte_copy;

typedef struct swp_ptx_byte_copies {
    swp_ptx_byte_copy *items;
    size_t count;
    size_t capacity;
    int phases;
} swp_ptx_byte_copies;

/* Where copies of the kernel write. */
typedef struct swp_ptx_places {
    int64_t *items;
    size_t count;
    size_t capacity;
} swp_ptx_places;

#endif
