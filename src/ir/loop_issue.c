/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a unit of the issue of each instance, which issues one op after the other. */
#include "ir/loop_issue.h"

#include "ir/loop_instances.h"
#include "ir/loop_rates.h"

#include <string.h>

bool swp_ir_loop_states_issue(const swp_loop *loop)
{
    for (size_t i = 0; i < loop->op_count; i++)
        if (loop->ops[i].issue > 0)
            return true;
    return false;
}

/* For how long an instance issues an op, and nothing else; 0 where no op of the loop says it. */
static int64_t issue_of(const swp_loop *loop, int op)
{
    const int64_t own = loop->ops[op].issue;
    return own > 0 || !swp_ir_loop_states_issue(loop) ? own : 1;
}

/* The instances of the roles before one. */
static int first_instance(const swp_loop *loop, int role)
{
    return swp_ir_loop_first_shift(loop, role) + role;
}

static swp_status name_issue(swp_context *ctx, const swp_loop *loop, int role, int instance,
                             const char **out)
{
    char *name = NULL;
    *out = "issue";
    if (loop->role_count == 0)
        return SWP_OK;
    if (swp_ir_loop_role_instances(loop, role) == 1)
        SWP_TRY(swp_format(ctx, &name, "issue of %s", loop->roles[role].name));
    else
        SWP_TRY(swp_format(ctx, &name, "issue of %s %d", loop->roles[role].name, instance));
    *out = name;
    return SWP_OK;
}

swp_status swp_ir_loop_build_units(swp_context *ctx, const swp_loop *loop, swp_problem *problem)
{
    swp_problem_resource *all = NULL;
    size_t count = loop->unit_count;
    const int roles = loop->role_count > 0 ? (int)loop->role_count : 1;
    problem->resources = loop->units;
    problem->resource_count = count;
    if (!swp_ir_loop_states_issue(loop))
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, count + (size_t)first_instance(loop, roles), &all));
    if (count > 0)
        memcpy(all, loop->units, count * sizeof *all);
    for (int role = 0; role < roles; role++)
        for (int i = 0; i < swp_ir_loop_role_instances(loop, role); i++) {
            all[count].capacity = 1;
            SWP_TRY(name_issue(ctx, loop, role, i, &all[count++].name));
        }
    problem->resources = all;
    problem->resource_count = count;
    return SWP_OK;
}

swp_status swp_ir_loop_build_uses(swp_context *ctx, const swp_loop *loop, int op, int instance,
                                  swp_problem_op *out)
{
    const swp_loop_op *of = &loop->ops[op];
    const int64_t issue = issue_of(loop, op);
    swp_problem_use *all = NULL;
    out->uses = of->uses;
    out->use_count = of->use_count;
    if (issue == 0 && !loop->rates)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, of->use_count + 1, &all));
    if (of->use_count > 0)
        memcpy(all, of->uses, of->use_count * sizeof *all);
    swp_ir_loop_join_rates(loop, op, instance, all, &out->use_count);
    if (issue > 0)
        all[out->use_count++] = (swp_problem_use){
            (int)loop->unit_count + first_instance(loop, of->role) + instance, 1, issue};
    out->uses = all;
    return SWP_OK;
}

int64_t swp_ir_loop_longest_use(const swp_loop_op *op)
{
    int64_t cycles = 0;
    for (size_t i = 0; i < op->use_count; i++)
        cycles = op->uses[i].cycles > cycles ? op->uses[i].cycles : cycles;
    return cycles;
}
