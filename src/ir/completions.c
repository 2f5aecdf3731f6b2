/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a completion says: of which sort it is, and which wait is for the op. The input is checked by this, also where
 * the table of synchronisation objects may not be asked.
 */
#include "ir/completions.h"

#include "ir/loop_dataflow.h"

/* Each completion that names one object of its sort. */
static const struct {
    swp_completion stated;
    swp_completion sort;
    swp_wait_kind wait;
} named[] = {{SWP_COMPLETION_VMCNT, SWP_COMPLETION_COUNTER, SWP_WAIT_FOR_VM},
             {SWP_COMPLETION_LGKMCNT, SWP_COMPLETION_COUNTER, SWP_WAIT_FOR_LGKM},
             {SWP_COMPLETION_COPY_GROUP, SWP_COMPLETION_GROUP, SWP_WAIT_FOR_VM},
             {SWP_COMPLETION_MATRIX_GROUP, SWP_COMPLETION_GROUP, SWP_WAIT_FOR_LGKM},
             {SWP_COMPLETION_COPY_MBARRIER, SWP_COMPLETION_MBARRIER, SWP_WAIT_FOR_VM},
             {SWP_COMPLETION_MATRIX_MBARRIER, SWP_COMPLETION_MBARRIER, SWP_WAIT_FOR_LGKM}};

enum { NAMED = sizeof named / sizeof *named };

swp_completion swp_ir_completion_kind(swp_completion completion)
{
    for (int i = 0; i < NAMED; i++)
        if (named[i].stated == completion)
            return named[i].sort;
    return completion == SWP_COMPLETION_UNSTATED ? SWP_COMPLETION_NONE : completion;
}

swp_completion swp_ir_completion_of(swp_completion sort, swp_wait_kind wait)
{
    for (int i = 0; i < NAMED; i++)
        if (named[i].sort == sort && named[i].wait == wait)
            return named[i].stated;
    return SWP_COMPLETION_NONE;
}

typedef struct spaces {
    bool registers;
    bool shared;
} spaces;

static void note_space(const swp_loop *loop, int value, spaces *accessed)
{
    if (loop->values[value].space == SWP_SPACE_SHARED)
        accessed->shared = true;
    else
        accessed->registers = true;
}

static spaces spaces_read(const swp_loop *loop, const swp_loop_op *op)
{
    spaces read = {0};
    for (size_t i = 0; i < op->read_count; i++)
        note_space(loop, op->reads[i].value, &read);
    for (size_t i = 0; i < op->update_count; i++)
        note_space(loop, op->updates[i], &read);
    return read;
}

static spaces spaces_made(const swp_loop *loop, const swp_loop_op *op)
{
    return (spaces){.registers = swp_ir_loop_makes_in(loop, op, SWP_SPACE_REGISTERS),
                    .shared = swp_ir_loop_makes_in(loop, op, SWP_SPACE_SHARED)};
}

bool swp_ir_loop_infers_wait(const swp_loop *loop, const swp_loop_op *op, swp_wait_kind *wait)
{
    const spaces read = spaces_read(loop, op);
    const spaces made = spaces_made(loop, op);
    *wait = read.shared ? SWP_WAIT_FOR_LGKM : SWP_WAIT_FOR_VM;
    if (op->reads_global)
        return !read.shared;
    if (op->writes_global && swp_ir_completion_kind(op->completion) == SWP_COMPLETION_GROUP) {
        *wait = SWP_WAIT_FOR_VM; /* no matrix op writes global memory */
        return !made.shared && !made.registers;
    }
    if (op->writes_global)
        return !read.shared && !made.shared;
    if (read.shared || !read.registers)
        return true; /* what reads nothing that is named loads from global memory */
    return !made.shared && !made.registers; /* a store to global memory */
}

swp_wait_kind swp_ir_loop_wait_of(const swp_loop *loop, const swp_loop_op *op)
{
    swp_wait_kind wait = SWP_WAIT_FOR_VM;
    for (int i = 0; i < NAMED; i++)
        if (named[i].stated == op->completion)
            return named[i].wait;
    (void)swp_ir_loop_infers_wait(loop, op, &wait);
    return wait;
}

bool swp_ir_loop_is_awaited(const swp_loop *loop, const swp_loop_op *op)
{
    const int *made = op->write_count > 0 ? op->writes : op->updates;
    return swp_ir_completion_kind(op->completion) == SWP_COMPLETION_COUNTER &&
           op->write_count + op->update_count == 1 &&
           loop->values[*made].space == SWP_SPACE_REGISTERS;
}

bool swp_ir_loop_reads_in_flight(const swp_loop_op *op)
{
    const swp_completion kind = swp_ir_completion_kind(op->completion);
    return kind == SWP_COMPLETION_GROUP || kind == SWP_COMPLETION_MBARRIER;
}

bool swp_ir_loop_is_in_order(const swp_loop *loop, const swp_loop_op *op)
{
    return swp_ir_completion_kind(op->completion) == SWP_COMPLETION_GROUP &&
           swp_ir_loop_wait_of(loop, op) == SWP_WAIT_FOR_LGKM && !spaces_made(loop, op).shared;
}

swp_completion swp_ir_loop_role_completion(const swp_loop *loop, const swp_loop_op *op)
{
    const bool writes_shared = swp_ir_loop_makes_in(loop, op, SWP_SPACE_SHARED);
    const bool makes_registers = swp_ir_loop_makes_in(loop, op, SWP_SPACE_REGISTERS);
    if (op->completion == SWP_COMPLETION_MBARRIER && writes_shared)
        return SWP_COMPLETION_COPY_MBARRIER;
    if (op->completion == SWP_COMPLETION_GROUP && makes_registers)
        return SWP_COMPLETION_MATRIX_GROUP;
    if (op->completion == SWP_COMPLETION_GROUP && op->writes_global)
        return SWP_COMPLETION_STORE_GROUP;
    return op->completion;
}
