/* SPDX-License-Identifier: Apache-2.0 */
/* Says what ops take of the loop's units, and of their own instance's issue. */
#include "certify/loop_instances.h"

#include <math.h>

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

/* What an op has of a rate, in cycles of all of it. More than a problem may have is refused where the problem is checked. */
static int64_t work_of(const swp_loop *loop, int op, int unit)
{
    const swp_loop_op *o = &loop->ops[op];
    double work = 0;
    for (size_t u = 0; u < o->use_count; u++)
        if (o->uses[u].resource == unit)
            work += (double)o->uses[u].amount * (double)o->uses[u].cycles;
    const double cycles = ceil(work / (double)loop->units[unit].capacity);
    return cycles > (double)SWP_PROBLEM_MOST ? SWP_PROBLEM_MOST + 1 : (int64_t)cycles;
}

/* The first of the ops that have most of a rate stands for all of them; returns their sum, or 0 if it is another op. */
static int64_t load_at(const swp_loop *loop, int op, int unit)
{
    int64_t load = 0;
    for (int o = 0; o < (int)loop->op_count; o++) {
        const int64_t work = work_of(loop, o, unit);
        const int64_t own = work_of(loop, op, unit);
        if (work > own || (work == own && o < op))
            return 0;
        for (int i = 0; i < swp_certify_instances_of(loop, o) && load <= SWP_PROBLEM_MOST; i++)
            load += work;
    }
    return load;
}

/* Ops share a rate, so that its load alone bounds an interval. */
static size_t join_rates(const swp_loop *loop, int op, int instance, swp_problem_use *uses)
{
    const swp_loop_op *o = &loop->ops[op];
    size_t count = 0;
    for (size_t u = 0; u < o->use_count; u++)
        if (!loop->rates || !loop->rates[o->uses[u].resource])
            uses[count++] = o->uses[u];
    for (int unit = 0; loop->rates && unit < (int)loop->unit_count; unit++) {
        const int64_t load = loop->rates[unit] && instance == 0 ? load_at(loop, op, unit) : 0;
        if (load > 0)
            uses[count++] = (swp_problem_use){unit, loop->units[unit].capacity, load};
    }
    return count;
}

swp_status swp_certify_op_of_loop(swp_context *ctx, const swp_loop *loop, int op, int instance,
                                  swp_problem_op *out)
{
    const swp_loop_op *o = &loop->ops[op];
    swp_problem_use *uses = NULL;
    SWP_TRY(SWP_TAKE(ctx, o->use_count + loop->unit_count + 1, &uses));
    size_t count = join_rates(loop, op, instance, uses);
    if (has_issue(loop))
        uses[count++] = (swp_problem_use){(int)units_before(loop, o->role) + instance, 1,
                                          o->issue > 0 ? o->issue : 1};
    *out = (swp_problem_op){o->name, o->latency, uses, count};
    return SWP_OK;
}
