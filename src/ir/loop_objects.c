/* SPDX-License-Identifier: Apache-2.0 */
/* What tracks an op of a loop: the object that it names, or the one that the spaces it touches leave. */
#include "base/diag.h"
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

static void touch(const swp_loop *loop, int value, spaces *touched)
{
    if (loop->values[value].space == SWP_SPACE_SHARED)
        touched->shared = true;
    else
        touched->registers = true;
}

static spaces spaces_read(const swp_loop *loop, const swp_loop_op *op)
{
    spaces read = {0};
    for (size_t i = 0; i < op->read_count; i++)
        touch(loop, op->reads[i].value, &read);
    for (size_t i = 0; i < op->update_count; i++)
        touch(loop, op->updates[i], &read);
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

/* --- What is left open --- */

/* Who forgot it is told so: the write would count as done when it issues. */
static bool hides_its_end(const swp_loop *loop, const swp_loop_op *op)
{
    return op->completion == SWP_COMPLETION_UNSTATED && spaces_made(loop, op).shared;
}

/* Of an asynchronous op one object or another counts the accesses, and nothing that is stated says which. */
static bool hides_its_object(const swp_loop *loop, const swp_loop_op *op)
{
    const bool is_kind = swp_ir_completion_kind(op->completion) == op->completion;
    swp_wait_kind wait;
    return is_kind && op->completion != SWP_COMPLETION_NONE &&
           !swp_ir_loop_infers_wait(loop, op, &wait);
}

static swp_status ask_for_end(swp_context *ctx, const swp_loop *loop, const swp_loop_op *op,
                              const char *others)
{
    int value = 0;
    while (loop->values[value].space != SWP_SPACE_SHARED || !swp_ir_loop_makes(op, value))
        value++;
    return swp_error(
        ctx, SWP_E0329, op->place,
        "`completion: counter` (AMD), `group` (cp.async) or `mbarrier` (TMA) for an access that "
        "goes on "
        "after its issue; `completion: none` says that its macro ends when the write is done",
        "op %s writes %s in shared memory with a latency of %lld, and does not say what completes "
        "it%s",
        op->name, loop->values[value].name, (long long)op->latency, others);
}

static swp_status ask_for_object(swp_context *ctx, const swp_loop_op *op, const char *others)
{
    static const char *const hints[] = {
        [SWP_COMPLETION_COUNTER] = "`completion: vmcnt` if it accesses global memory, such as a "
                                   "load through an index, or name "
                                   "what it reads as a value of `space: global`; `completion: "
                                   "lgkmcnt` if it works on LDS, such "
                                   "as ds_write",
        [SWP_COMPLETION_GROUP] = "`completion: copy_group` for cp.async or a store by TMA, "
                                 "`completion: matrix_group` for wgmma",
        [SWP_COMPLETION_MBARRIER] = "`completion: copy_mbarrier` for TMA or cp.async, "
                                    "`completion: matrix_mbarrier` for matrix ops"};
    return swp_error(
        ctx, SWP_E0330, op->place, hints[op->completion],
        "op %s: what it reads and writes does not tell whether %s or %s counts it%s", op->name,
        swp_ir_sync_object_row(swp_ir_sync_object_of(op->completion, SWP_WAIT_FOR_VM))->name,
        swp_ir_sync_object_row(swp_ir_sync_object_of(op->completion, SWP_WAIT_FOR_LGKM))->name,
        others);
}

/* A mistake of several ops is told of the first. */
swp_status swp_ir_check_completions(swp_context *ctx, const swp_loop *loop)
{
    const swp_loop_op *first[2] = {NULL, NULL};
    int others[2] = {0, 0};
    char text[SWP_OTHERS_SIZE];
    for (const swp_loop_op *op = loop->ops; op < loop->ops + loop->op_count; op++) {
        const bool hides[2] = {hides_its_end(loop, op), hides_its_object(loop, op)};
        for (int i = 0; i < 2; i++) {
            others[i] += first[i] && hides[i];
            first[i] = !first[i] && hides[i] ? op : first[i];
        }
    }
    swp_status status = SWP_OK;
    if (first[0])
        status = ask_for_end(ctx, loop, first[0], swp_text_of_others(others[0], "op", text));
    if (first[1] && !swp_ends_work(status))
        status = ask_for_object(ctx, first[1], swp_text_of_others(others[1], "op", text));
    return status;
}
