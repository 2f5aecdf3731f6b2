/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What phases say of the boxes of tensor maps. PTX does not show how many bytes a box has, but a map has one size in a launch,
 * and mostly in all of them, and each phase expects what its copies bring together: one linear equation.
 */
#ifndef SWP_AUDIT_PTX_BOX_SIZES_H
#define SWP_AUDIT_PTX_BOX_SIZES_H

#include "audit/ptx/box_equations.h"

/* Adds what is stated of a launch, before any run. */
swp_status swp_ptx_state_boxes(swp_context *ctx, swp_ptx_equations *equations,
                               const swp_audit_launch *launch);
/* Whether a phase has said something of the map that a statement is about. */
bool swp_ptx_is_copied(const swp_ptx_equations *equations, const swp_ptx_equation *stated);

/* Adds what a phase says; a fault, or a doubt, where it cannot be true together with what others have said. */
swp_status swp_ptx_add_equation(swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier);

/* A copy to which more can be added without those of the first. */
swp_status swp_ptx_copy_equations(swp_context *ctx, swp_ptx_equations *equations);

/* The size of a map's boxes, as far as phases say it, and what it was taken to be where they do not. */
int64_t swp_ptx_box_size(const swp_ptx_equations *equations, uint64_t map);
int64_t swp_ptx_use_box(swp_ptx_equations *equations, uint64_t map); /* for a store */
int64_t swp_ptx_box_guess(const swp_ptx_run *run, uint64_t map);

/* What the boxes of a map have room for between so many places. */
swp_status swp_ptx_take_guess(swp_context *ctx, swp_ptx_equations *equations, uint64_t map,
                              int64_t bytes, size_t places);
/* Takes a size for given where phases do not say it; a doubt where it was another one before, with the same room. */
void swp_ptx_guess_box(swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier,
                       const swp_ptx_copy *copy);

#endif
