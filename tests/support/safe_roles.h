/* SPDX-License-Identifier: Apache-2.0 */
/* Safe schedules with warp roles, for tests to spoil with one edit. */
#ifndef TEST_SUPPORT_SAFE_ROLES_H
#define TEST_SUPPORT_SAFE_ROLES_H

#include "roles_program.h"

/* Roles and objects, by number. */
enum { PRODUCER, CONSUMER };
enum { FULL, EMPTY };

/* A ring of two slots: LOAD copies T, MMA multiplies it in two instances, each elected thread hands the slot back. */
void safe_ring(roles_program *p, swp_context *ctx);

/*
 * In a cluster of two, of which each work group copies one half of T for both: LOAD is a multicast, the slot is handed
 * back to both, and the cluster meets at the end.
 */
void safe_cluster(roles_program *p, swp_context *ctx);

/*
 * In a cluster of two: LOAD_A copies A, LOAD is a multicast of T, and READ sums both by ordinary instructions, behind
 * which all threads hand the slot back to both.
 */
void safe_cluster_readers(roles_program *p, swp_context *ctx);

/* In a cluster of two: a tile in a single slot, which the meeting of the cluster in each pass hands back. */
void safe_cluster_meetings(roles_program *p, swp_context *ctx);

/* The ring, where all threads of the instances hand the slot back. */
void safe_ring_of_all(roles_program *p, swp_context *ctx);

/* LOAD copies T for one instance whose threads READ it by ordinary instructions. */
void safe_readers(roles_program *p, swp_context *ctx);

/* One instance stages what it makes in S, by ordinary instructions, and its elected thread stores it. */
void safe_staging(roles_program *p, swp_context *ctx);

/* Two instances that do WORK in turn, by a named barrier of two slots. */
void safe_turns(roles_program *p, swp_context *ctx);

/*
 * With output tiles: the ring, whose instances CLEAR their sum, STAGE it in D and STORE that, by barriers `free` and
 * `staged` of a slot each.
 */
void safe_tiles(roles_program *p, swp_context *ctx);

/* The same, where D takes one half after the other: STAGE_1 updates it when STORE has read it, and STORE_1 stores that. */
void safe_halves(roles_program *p, swp_context *ctx);

/* The first in a cluster of two, where LOAD is a multicast, and the cluster meets in the drain. */
void safe_cluster_tiles(roles_program *p, swp_context *ctx);

/*
 * With output tiles: QUERY copies Q once a tile, by mbarriers `asked` and `answered` of the tile clock, and WORK reads
 * Q and what LOAD copies, by ordinary instructions.
 */
void safe_queries(roles_program *p, swp_context *ctx);

/*
 * With output tiles and two iterations a pass, of any number: READ sums by ordinary instructions what LOAD copies, from
 * what CLEAR makes, and FINISH reads the sum.
 */
void safe_pairs(roles_program *p, swp_context *ctx);

#endif
