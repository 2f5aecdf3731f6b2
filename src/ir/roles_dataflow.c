/* SPDX-License-Identifier: Apache-2.0 */
/* Refuses ops and values that have no meaning in a schedule with warp roles (docs/roles-reference.md, "What ops do"). */
#include "base/diag.h"
#include "ir/entry_forms.h"
#include "ir/loop_condition.h"
#include "ir/loop_dataflow.h"
#include "ir/roles.h"
#include "swp/loop.h"

typedef struct dataflow_checker {
    swp_context *ctx;
    const swp_loop *loop;
    const int *role_of_op;
} dataflow_checker;

typedef struct op_spaces {
    bool reads[2]; /* by swp_space */
    bool makes[2];
} op_spaces;

static op_spaces spaces_of(const swp_loop *loop, const swp_loop_op *op)
{
    op_spaces s = {0};
    for (size_t i = 0; i < op->read_count; i++)
        s.reads[loop->values[op->reads[i].value].space] = true;
    for (size_t i = 0; i < op->update_count; i++)
        s.reads[loop->values[op->updates[i]].space] = s.makes[loop->values[op->updates[i]].space] =
            true;
    for (size_t i = 0; i < op->write_count; i++)
        s.makes[loop->values[op->writes[i]].space] = true;
    return s;
}

static bool is_ordinary(const swp_loop_op *op)
{
    return op->completion == SWP_COMPLETION_NONE || op->completion == SWP_COMPLETION_UNSTATED;
}

/* The values were to tell which group or mbarrier it is, and did not. */
static bool is_open(const swp_loop_op *op)
{
    return op->completion == SWP_COMPLETION_GROUP || op->completion == SWP_COMPLETION_MBARRIER;
}

/* Whether it touches what ops of its completion touch, and nothing else. */
static bool fits_completion(const swp_op_form *form, const op_spaces *s)
{
    const bool registers = s->reads[SWP_SPACE_REGISTERS] || s->makes[SWP_SPACE_REGISTERS];
    return (form->registers || !registers) && (form->reads_shared || !s->reads[SWP_SPACE_SHARED]) &&
           (form->makes_shared || !s->makes[SWP_SPACE_SHARED]);
}

static bool has_meaning(const swp_loop *loop, const swp_loop_op *op)
{
    const op_spaces s = spaces_of(loop, op);
    const swp_op_form *form = swp_ir_op_form(op->completion);
    return is_ordinary(op) || (form && fits_completion(form, &s));
}

static bool skips_tiles(const swp_loop_op *op)
{
    return swp_ir_loop_is_conditional(op) && op->clock == SWP_TILE_CLOCK;
}

static swp_status check_op(const dataflow_checker *c, const swp_loop_op *op)
{
    if (!has_meaning(c->loop, op))
        return swp_error(
            c->ctx, SWP_E0705, op->place,
            "copy_mbarrier writes shared values, matrix_group reads them and has registers, "
            "store_group reads them and writes a value in global memory; `none` may do anything",
            swp_ir_op_form(op->completion) || is_open(op)
                ? "op %s: completion %s does not fit the values that it reads and makes"
                : "op %s: a schedule with warp roles has no completion %s",
            op->name, swp_completion_name(op->completion));
    if (skips_tiles(op))
        return swp_error(c->ctx, SWP_E0705, op->place, "let its macro test the condition",
                         "op %s: an op that is done once an output tile always runs", op->name);
    return SWP_OK;
}

static bool is_of_another_role(const int *role_of_op, size_t first, size_t op)
{
    return role_of_op && role_of_op[first] != role_of_op[op];
}

/* What is wrong with an op that updates what another one writes; NULL: nothing. Without `role_of_op` one role does all. */
static const char *problem_of_update(const swp_loop *loop, const int *role_of_op, size_t first,
                                     size_t op)
{
    if (!is_ordinary(&loop->ops[first]) || !is_ordinary(&loop->ops[op]))
        return "updates a shared value, and one of its makers is asynchronous";
    if (is_of_another_role(role_of_op, first, op))
        return "updates a shared value that another role writes";
    if (loop->ops[first].clock != loop->ops[op].clock)
        return "updates a shared value that is written in the other clock";
    return NULL;
}

/*
 * A shared version is written by one op, and changed in its place by later ones of the same threads. Returns what is wrong with
 * which maker of it; NULL: nothing.
 */
static const char *problem_of_shared(const swp_loop *loop, const int *role_of_op, int value,
                                     const swp_loop_op **maker)
{
    const int first = swp_ir_loop_first_maker(loop, value);
    const char *problem = NULL;
    for (int i = first; i >= 0 && i < (int)loop->op_count && !problem; i++) {
        *maker = &loop->ops[i];
        if (i == first && swp_ir_loop_updates(*maker, value))
            problem = "updates a shared value that no op writes";
        else if (i > first && swp_ir_loop_makes(*maker, value))
            problem = problem_of_update(loop, role_of_op, (size_t)first, (size_t)i);
    }
    return problem;
}

static swp_status check_shared(const dataflow_checker *c, int value)
{
    const swp_loop_op *op = NULL;
    const char *problem = problem_of_shared(c->loop, c->role_of_op, value, &op);
    if (!problem)
        return SWP_OK;
    return swp_error(
        c->ctx, SWP_E0705, op->place,
        "let one op of completion none write it, and later ones of the same role, clock and "
        "completion update it, or give each maker a value of its own",
        "op %s: it %s: %s", op->name, problem, c->loop->values[value].name);
}

bool swp_ir_loop_fits_one_role(const swp_loop *loop)
{
    const swp_loop_op *maker = NULL;
    for (size_t i = 0; i < loop->op_count; i++)
        if (!has_meaning(loop, &loop->ops[i]) || skips_tiles(&loop->ops[i]))
            return false;
    for (size_t v = 0; v < loop->value_count; v++)
        if (loop->values[v].space == SWP_SPACE_SHARED &&
            problem_of_shared(loop, NULL, (int)v, &maker))
            return false;
    return true;
}

/* Registers are no other role's. */
static swp_status check_registers_of(const dataflow_checker *c, size_t op, int value,
                                     int *stream_of_value)
{
    const swp_loop *loop = c->loop;
    if (loop->values[value].space != SWP_SPACE_REGISTERS)
        return SWP_OK;
    if (stream_of_value[value] < 0)
        stream_of_value[value] = c->role_of_op[op];
    if (stream_of_value[value] == c->role_of_op[op])
        return SWP_OK;
    return swp_error(c->ctx, SWP_E0705, loop->ops[op].place, "pass it through shared memory",
                     "op %s: it touches %s, which is registers of another role", loop->ops[op].name,
                     loop->values[value].name);
}

static swp_status check_registers(const dataflow_checker *c)
{
    const swp_loop *loop = c->loop;
    int *stream_of_value = NULL;
    SWP_TRY(SWP_TAKE(c->ctx, loop->value_count, &stream_of_value));
    for (size_t v = 0; v < loop->value_count; v++)
        stream_of_value[v] = -1;
    for (size_t i = 0; i < loop->op_count; i++) {
        const swp_loop_op *op = &loop->ops[i];
        for (size_t k = 0; k < op->read_count; k++)
            SWP_TRY(check_registers_of(c, i, op->reads[k].value, stream_of_value));
        for (size_t k = 0; k < op->write_count; k++)
            SWP_TRY(check_registers_of(c, i, op->writes[k], stream_of_value));
        for (size_t k = 0; k < op->update_count; k++)
            SWP_TRY(check_registers_of(c, i, op->updates[k], stream_of_value));
    }
    return SWP_OK;
}

swp_status swp_ir_check_role_dataflow(swp_context *ctx, const swp_loop *loop, const int *role_of_op)
{
    const dataflow_checker c = {ctx, loop, role_of_op};
    for (size_t i = 0; i < loop->op_count; i++)
        SWP_TRY(check_op(&c, &loop->ops[i]));
    for (size_t v = 0; v < loop->value_count; v++)
        if (loop->values[v].space == SWP_SPACE_SHARED)
            SWP_TRY(check_shared(&c, (int)v));
    return check_registers(&c);
}

bool swp_ir_loop_has_roles(const swp_loop *loop)
{
    for (size_t i = 0; i < loop->role_count; i++)
        if (loop->roles[i].warps > 0 || loop->roles[i].instances > 0 ||
            loop->roles[i].registers > 0)
            return true;
    return loop->role_count > 1 || (loop->role_count > 0 && loop->cluster > 1);
}
