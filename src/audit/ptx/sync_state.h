/* SPDX-License-Identifier: Apache-2.0 */
/* Copies that are on their way, and the state of what orders warps: mbarriers, barriers, signals of a cluster, groups. */
#ifndef SWP_AUDIT_PTX_SYNC_STATE_H
#define SWP_AUDIT_PTX_SYNC_STATE_H

#include "audit/ptx/clocks.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SWP_PTX_MBARRIER_BYTES = 8,
    SWP_PTX_MOST_TESTED = 64 /* registers that tests of phases decide: wait_tests.c */
};

/* Groups whose ages two states are told apart by; wgmma.wait_group leaves 7 at most (PTX ISA), Triton's cp.async 12 of five stages. */
enum { SWP_PTX_TOLD_GROUPS = 16 };

/* Of bytes and addresses of a bulk copy (PTX ISA, cp.async.bulk): none brings less, or a part of it. */
enum { SWP_PTX_COPY_UNIT = 16 };

/* A bulk copy that is on its way to shared memory. */
typedef struct swp_ptx_copy {
    swp_ptx_clock *issue;
    int chain;
    int event;
    int insn;
    int64_t to;
    int64_t bytes;   /* -1: its tensor map says */
    int64_t certain; /* so many of them do not depend on a guess */
    int64_t order;   /* of issue */
    bool is_tensor;
    bool is_ordinary; /* a store of a thread, of no other proxy… */
    bool is_atomic;   /* …or a reduction */
    uint64_t map;
} swp_ptx_copy;

typedef struct swp_ptx_copies {
    swp_ptx_copy *items;
    size_t count;
    size_t capacity;
} swp_ptx_copies;

/* An arrival of an instruction that arrives at several mbarriers; 0: of one that does not. */
typedef struct swp_ptx_split {
    int from; /* the first event of its chain behind which there were only such arrivals */
    int twin; /* the event of the warp's other chain at its arrival by this instruction */
} swp_ptx_split;

typedef struct swp_ptx_mbarrier {
    int64_t address; /* -1: it has been invalidated */
    int count;
    int pending;
    int phase; /* that is not complete */
    int64_t expected;
    int bytes_of; /* the number of the argument that alone says how many bytes are expected, and 1; 0: none */
    bool computed; /* arguments or memory say how many bytes are expected, not the code alone */
    int expect_insn;
    int expect_event
        [SWP_PTX_MOST_CHAINS]; /* the last mbarrier.expect_tx of each chain, in the phase */
    int insn;                  /* its init */
    int chain;
    int event;
    bool fenced;     /* by fence.mbarrier_init, or for proxies… */
    int fence_event; /* …in a cluster, known by those who are told after this */
    bool announced;  /* by fence.mbarrier_init, for the cluster */
    int meeting;     /* of the cluster, behind which all know that it is initialised; 0: none */
    int meeting_component;                              /* of clocks, that counts these */
    swp_ptx_copies copies;                              /* of the phase */
    swp_ptx_split split[SWP_PTX_MOST_CHAINS];           /* each chain's last arrival… */
    swp_ptx_split completed_split[SWP_PTX_MOST_CHAINS]; /* …and that of the phase before */
    swp_ptx_clock arrived;
    swp_ptx_clock completed;             /* of the phase before… */
    bool completed_alone;                /* …by arrivals, without copies */
    int wait_event[SWP_PTX_MOST_CHAINS]; /* events: the last wait of each chain… */
    int wait_phase[SWP_PTX_MOST_CHAINS]; /* …and the phase that it waited for, and 1 */
    int wait_insn[SWP_PTX_MOST_CHAINS];
} swp_ptx_mbarrier;

typedef struct swp_ptx_barrier {
    int expected; /* threads; 0: nobody has come */
    int arrivals;
    bool for_all; /* who has ended is not waited for */
    int rank;     /* of whose threads it is, in a cluster… */
    int name;     /* …where each has the number of its first use; 0: not in use */
    int generation;
    int insn;
    swp_ptx_clock arrived;
    swp_ptx_clock opened[2]; /* of the last meetings, by number */
} swp_ptx_barrier;

/* The last load of a flag in global memory of a chain that no proxy fence stands behind; event 0: none. */
typedef struct swp_ptx_flag {
    int event;
    int insn;
} swp_ptx_flag;

/* The last arrival of a chain at an mbarrier of another work group, or the last access to its shared memory. */
typedef struct swp_ptx_signal {
    int mbarrier; /* -1: it is an access to its shared memory */
    int owner;    /* the work group */
    int chain;
    int phase;
    int event;
    int insn;
    int meeting; /* of the cluster, behind which it has come; 0: none */
} swp_ptx_signal;

typedef struct swp_ptx_signals {
    swp_ptx_signal *items;
    size_t count;
    size_t capacity;
} swp_ptx_signals;

/* The test that decides a register of a chain; mbarrier 0: none does, -1: several do, else its number and 1. */
typedef struct swp_ptx_test {
    int mbarrier;
    int phase;
} swp_ptx_test;

/* A committed group of the wgmmas of four warps. */
typedef struct swp_ptx_group {
    unsigned committed; /* warps of the four */
    swp_ptx_clock issued;
} swp_ptx_group;

typedef struct swp_ptx_groups {
    swp_ptx_group *items;
    size_t count;
    size_t capacity;
} swp_ptx_groups;

#endif
