/* SPDX-License-Identifier: Apache-2.0 */
/* Small schedules with warp roles, in words. */
#ifndef TEST_SUPPORT_ROLES_PROGRAM_H
#define TEST_SUPPORT_ROLES_PROGRAM_H

#include "swp/compile.h"
#include "swp/loop.h"

enum { ROLES_PROGRAM_OBJECTS = 8 };

typedef struct roles_program {
    swp_context *ctx;
    swp_loop loop;
    swp_loop_dataflow dataflow;
    swp_role_object objects[ROLES_PROGRAM_OBJECTS];
    swp_schedule schedule;
} roles_program;

typedef struct roles_program_role {
    const char *name;
    int warps;
    int instances;
    /* Lists in words; NULL: empty. */
    const char *prologue;
    const char *kernel;
    const char *epilogue;
    const char *straight;  /* of N = 0 …, divided by "/", where the least N is above 0 */
    const char *epilogues; /* of the remainders 1 …, likewise */
    const char *begin;     /* with output tiles */
    const char *end;
    const char *drain;
} roles_program_role;

/* A schedule of the builder's loop without roles and objects, with each value's least slots. */
void roles_program_begin(roles_program *p, swp_context *ctx, swp_loop_builder *builder,
                         int iterations_per_pass, int least);

/* @return its index */
int roles_program_mbarrier(roles_program *p, const char *name, int slots, int arrivals);
int roles_program_named(roles_program *p, const char *name, int slots, int threads);

/* Gives the schedule output tiles, and an op their clock. */
void roles_program_once_a_tile(roles_program *p, const char *op);

/* Makes it a schedule of a cluster of so many work groups, and an op a multicast. */
void roles_program_cluster(roles_program *p, int work_groups, const char *op);

/*
 * Words of a list, divided by spaces. An operation is NAME, then its parts in this order: "@object", "+iteration" or
 * "-iteration", ":n" (the count of a wait, or the slot of a named barrier), "^step" (slot_step), "=bytes", "!" for by
 * one thread, "*" for `to` all, "&mask" for `instances`. Names are those of swp_infrastructure_name() and of the loop's ops.
 */
void roles_program_role_add(roles_program *p, roles_program_role role);

/* Named arguments. */
#define roles_program_add(p, ...) roles_program_role_add((p), (roles_program_role){__VA_ARGS__})

/* The entry of a list, to be edited. */
swp_op *roles_program_op(roles_program *p, int role, swp_phase list, int entry);
/* Takes it out. */
void roles_program_drop(roles_program *p, int role, swp_phase list, int entry);

#endif
