/* SPDX-License-Identifier: Apache-2.0 */
/* What a run finds: of which instructions, by which threads, and how far what they wait for had come. */
#ifndef SWP_AUDIT_PTX_FINDINGS_H
#define SWP_AUDIT_PTX_FINDINGS_H

#include "swp/audit.h"

/* Which threads execute an instruction: warps by number, and of these lane 0, the others, or both. */
typedef struct swp_ptx_threads {
    uint32_t warps; /* 0: it is not told */
    unsigned chains;
} swp_ptx_threads;

/* How far what an instruction waits for has come, or what it counts in. */
typedef struct swp_ptx_facts {
    enum { SWP_PTX_NO_FACTS, SWP_PTX_PHASE_FACTS, SWP_PTX_MEETING_FACTS } of;
    int count;       /* arrivals, or threads… */
    int came;        /* …of which so many have come */
    int64_t bytes;   /* that are expected… */
    int64_t brought; /* …and that copies bring; -1: tensor maps say how many */
} swp_ptx_facts;

/* What was found, of instructions by number; -1: none. */
typedef struct swp_ptx_finding {
    swp_hazard_kind kind;
    int at;
    int other;
    int64_t low; /* bytes of shared memory; high 0: it is about none */
    int64_t high;
    const char *detail;
    const char *hint; /* NULL: the instructions say it (hints.c) */
    swp_ptx_threads of_at;
    swp_ptx_threads of_other;
    swp_ptx_facts facts; /* of `at`… */
    swp_ptx_facts other_facts;
    int groups; /* committed behind that of `other`, where it is in one; -1: it is in none, or that is open */
    bool unsure;  /* memory decides whether it happens, or a rule that the manual leaves open… */
    bool settled; /* …which no other run tells more of */
    bool ends;    /* what follows cannot be told without it: the run ends there */
} swp_ptx_finding;

/* What a wait may leave in flight, by two findings of one pair. */
static inline int swp_ptx_fewer_groups(const swp_ptx_finding *a, const swp_ptx_finding *b)
{
    return a->groups < b->groups ? a->groups : b->groups;
}

typedef struct swp_ptx_findings {
    swp_ptx_finding *items;
    size_t count;
    size_t capacity;
} swp_ptx_findings;

#endif
