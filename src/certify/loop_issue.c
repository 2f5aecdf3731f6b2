/* SPDX-License-Identifier: Apache-2.0 */
/* Says what ops take of the loop's units, and of their own instance's issue. */
#include "certify/loop_instances.h"

/* Counts the units before those of a role: the loop's, and one for each instance of the roles before it. */
static size_t units_before(const swp_loop *loop, int role)
{
    size_t count = 0;
    for (int r = 0; r < role; r++)
        count += (size_t)swp_certify_instances_of_role(loop, r);
    return loop->unit_count + count;
}

static bool has_issue(const swp_loop *loop)
{
    int64_t longest = 0;
    for (size_t o = 0; o < loop->op_count; o++)
        longest = loop->ops[o].issue > longest ? loop->ops[o].issue : longest;
    return longest > 0;
}

swp_status swp_certify_units_of_loop(swp_context *ctx, const swp_loop *loop, swp_problem *problem)
{
    swp_problem_resource *units = NULL;
    const int roles = loop->role_count == 0 ? 1 : (int)loop->role_count;
    const size_t count = has_issue(loop) ? units_before(loop, roles) : loop->unit_count;
    SWP_TRY(SWP_TAKE(ctx, count + 1, &units));
    for (size_t u = 0; u < count; u++)
        units[u] = u < loop->unit_count ? loop->units[u] : (swp_problem_resource){"issue", 1};
    problem->resources = units;
    problem->resource_count = count;
    return SWP_OK;
}

swp_status swp_certify_op_of_loop(swp_context *ctx, const swp_loop *loop, int op, int instance,
                                  swp_problem_op *out)
{
    const swp_loop_op *o = &loop->ops[op];
    const size_t count = o->use_count + has_issue(loop);
    swp_problem_use *uses = NULL;
    SWP_TRY(SWP_TAKE(ctx, count + 1, &uses));
    for (size_t u = 0; u < count; u++)
        uses[u] = u < o->use_count ? o->uses[u]
                                   : (swp_problem_use){(int)units_before(loop, o->role) + instance,
                                                       1, o->issue > 0 ? o->issue : 1};
    *out = (swp_problem_op){o->name, o->latency, uses, count};
    return SWP_OK;
}
