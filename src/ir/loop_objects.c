/* SPDX-License-Identifier: Apache-2.0 */
/* What tracks an op of a loop: the object that it names, or the one that the spaces it accesses leave. */
#include "ir/loop_dataflow.h"

/* The object of each completion that names one. */
static const struct {
    swp_completion stated;
    swp_sync_object object;
} named[] = {{SWP_COMPLETION_VMCNT, SWP_VMCNT},
             {SWP_COMPLETION_LGKMCNT, SWP_LGKMCNT},
             {SWP_COMPLETION_COPY_GROUP, SWP_COPY_GROUP},
             {SWP_COMPLETION_MATRIX_GROUP, SWP_MATRIX_GROUP},
             {SWP_COMPLETION_COPY_MBARRIER, SWP_COPY_MBARRIER},
             {SWP_COMPLETION_MATRIX_MBARRIER, SWP_MATRIX_MBARRIER}};

static swp_sync_object named_by(swp_completion completion)
{
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (named[i].stated == completion)
            return named[i].object;
    return SWP_NO_OBJECT;
}

swp_completion swp_ir_completion_by(swp_sync_object object)
{
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (named[i].object == object)
            return named[i].stated;
    return SWP_COMPLETION_NONE;
}

swp_completion swp_ir_completion_kind(swp_completion completion)
{
    const swp_sync_object object = named_by(completion);
    if (object != SWP_NO_OBJECT)
        return swp_ir_sync_object_row(object)->kind;
    return completion == SWP_COMPLETION_UNSTATED ? SWP_COMPLETION_NONE : completion;
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

swp_sync_object swp_ir_loop_object_of(const swp_loop *loop, const swp_loop_op *op)
{
    const swp_sync_object object = named_by(op->completion);
    swp_wait_kind wait = SWP_WAIT_FOR_VM;
    if (object != SWP_NO_OBJECT)
        return object;
    (void)swp_ir_loop_infers_wait(loop, op, &wait);
    return swp_ir_sync_object_of(swp_ir_completion_kind(op->completion), wait);
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
    return swp_ir_loop_object_of(loop, op) == SWP_MATRIX_GROUP && !spaces_made(loop, op).shared;
}
