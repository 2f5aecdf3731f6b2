/* SPDX-License-Identifier: Apache-2.0 */
/* Warns of what a loop says and cannot mean: work that gets nowhere, values that nobody needs, full counters. */
#include "ir/loop_warnings.h"

#include "base/diag.h"
#include "base/text.h"
#include "ir/loop_dataflow.h"
#include "ir/sync_objects.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* --- What an op does, as far as its dataflow and its names tell --- */

static bool makes_anything(const swp_loop_op *op)
{
    return op->write_count + op->update_count > 0 || op->writes_global;
}

static bool reads_anything(const swp_loop_op *op)
{
    return op->read_count > 0 || op->reads_global;
}

/* Whether one of the words of a name, such as those of `mma_unit`, is of matrix instructions. */
static bool names_matrix(const char *name)
{
    static const char *const words[] = {"mma", "mfma", "wmma", "wgmma", "hmma", "tensor", "matrix"};
    while (*name) {
        size_t length = 0;
        while (isalpha((unsigned char)name[length]))
            length++;
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
            if (strlen(words[i]) == length && strncasecmp(name, words[i], length) == 0)
                return true;
        name += length + (name[length] != '\0');
    }
    return false;
}

static bool is_matrix(const swp_loop *loop, const swp_loop_op *op)
{
    bool uses_unit = names_matrix(op->name);
    for (size_t i = 0; i < op->use_count; i++)
        uses_unit = uses_unit || names_matrix(loop->units[op->uses[i].resource].name);
    return uses_unit;
}

/* What reads a register may store it; what takes no time may stand for the use of a unit. */
static bool gets_nowhere(const swp_loop *loop, const swp_loop_op *op)
{
    if (makes_anything(op))
        return false;
    if (is_matrix(loop, op))
        return true;
    if (swp_ir_completion_kind(op->completion) == SWP_COMPLETION_NONE)
        return !reads_anything(op) && op->latency > 0;
    return !swp_ir_loop_reads_in(loop, op, SWP_SPACE_REGISTERS);
}

static bool multiplies_nothing(const swp_loop *loop, const swp_loop_op *op)
{
    return makes_anything(op) && !reads_anything(op) && is_matrix(loop, op);
}

/* It names a counter, and what it reads and writes is on the other one. */
static bool is_on_another(const swp_loop *loop, const swp_loop_op *op)
{
    const bool names_counter =
        op->completion == SWP_COMPLETION_VMCNT || op->completion == SWP_COMPLETION_LGKMCNT;
    const swp_wait_kind named =
        op->completion == SWP_COMPLETION_VMCNT ? SWP_WAIT_FOR_VM : SWP_WAIT_FOR_LGKM;
    swp_wait_kind wait = named;
    return names_counter && swp_ir_loop_infers_wait(loop, op, &wait) && wait != named;
}

static bool counts_nothing(const swp_loop *loop, const swp_loop_op *op)
{
    return op->accesses > 1 && swp_ir_loop_object_of(loop, op) == SWP_NO_OBJECT;
}

/* What it reads may be overwritten as soon as it has issued; accesses that nothing counts are told of by themselves. */
static bool hides_its_reads(const swp_loop *loop, const swp_loop_op *op)
{
    return op->completion == SWP_COMPLETION_UNSTATED && op->latency > 0 &&
           swp_ir_loop_reads_in(loop, op, SWP_SPACE_SHARED) && !counts_nothing(loop, op);
}

/* --- What becomes of a value --- */

static bool is_read(const swp_loop *loop, int value)
{
    for (size_t i = 0; i < loop->op_count; i++)
        for (size_t r = 0; r < loop->ops[i].read_count; r++)
            if (loop->ops[i].reads[r].value == value)
                return true;
    return false;
}

static const swp_loop_op *writer_of(const swp_loop *loop, int value)
{
    const int first = swp_ir_loop_first_maker(loop, value);
    return first != SWP_NO_OP && swp_ir_loop_writes(&loop->ops[first], value) ? &loop->ops[first]
                                                                              : NULL;
}

/* An op that adds to what another one has written reads that. */
static bool is_added_to(const swp_loop *loop, int value)
{
    for (size_t i = 0; i < loop->op_count; i++)
        if (swp_ir_loop_updates(&loop->ops[i], value))
            return true;
    return false;
}

static bool is_lost(const swp_loop *loop, int value)
{
    return writer_of(loop, value) && !is_read(loop, value) && !is_added_to(loop, value);
}

/* An op makes a register of others, and the next iteration makes it anew. */
static bool is_meant_to_add_up(const swp_loop *loop, int value)
{
    if (!is_lost(loop, value) || loop->values[value].space != SWP_SPACE_REGISTERS)
        return false;
    const swp_loop_op *writer = writer_of(loop, value);
    const bool computes = swp_ir_completion_kind(writer->completion) == SWP_COMPLETION_NONE ||
                          is_matrix(loop, writer);
    return computes && reads_anything(writer);
}

static bool is_unread(const swp_loop *loop, int value)
{
    return is_lost(loop, value) && !is_meant_to_add_up(loop, value);
}

/* An input has one slot, said or not; in shared memory it is rather what an op was to bring. */
static bool is_unmade(const swp_loop *loop, int value)
{
    const swp_loop_value *v = &loop->values[value];
    const bool may_be_one =
        v->most_slots == 1 || (v->most_slots == 0 && v->space == SWP_SPACE_REGISTERS);
    const bool is_one = v->least_slots == 1 && may_be_one;
    return is_read(loop, value) && swp_ir_loop_first_maker(loop, value) == SWP_NO_OP && !is_one;
}

static bool is_unused(const swp_loop *loop, int value)
{
    return !is_read(loop, value) && swp_ir_loop_first_maker(loop, value) == SWP_NO_OP;
}

/* --- One warning for all ops, or values, of a row --- */

static const struct {
    swp_code code;
    bool (*applies)(const swp_loop *loop, const swp_loop_op *op);
    const char *what;
    const char *hint;
} ops[] = {
    {SWP_W0320, gets_nowhere, "writes and updates nothing",
     "name what it makes under `writes` or `updates`; a store to global memory writes a value of "
     "`space: global`"},
    {SWP_W0324, is_on_another,
     "names a counter that does not count what it reads and writes: LDS is on lgkmcnt, global "
     "memory on vmcnt",
     "leave the name to `completion: counter`, or name what it accesses in global memory as a "
     "value of `space: global`; a scalar load, which lgkmcnt counts out of order, has "
     "`completion: none`"},
    {SWP_W0325, counts_nothing,
     "has `accesses`, but nothing counts them: it is done when it issues",
     "give it a `completion`: `counter` on AMD"},
    {SWP_W0326, hides_its_reads,
     "reads shared memory and does not say what completes it: what it reads may be overwritten as "
     "soon as it has issued",
     "`completion: counter` for a read of LDS on AMD, `group` for wgmma; `completion: none` says "
     "that its macro ends when it has read"},
    {SWP_W0321, multiplies_nothing, "is a matrix op that reads nothing",
     "name its operands under `reads`"},
};

static const struct {
    swp_code code;
    bool (*applies)(const swp_loop *loop, int value);
    const char *what;
    const char *hint;
} values[] = {
    {SWP_W0322, is_unread, "is made anew in each iteration, and no op reads it",
     "name it under `reads` of the op that needs it, or leave it out"},
    {SWP_W0322, is_unmade, "is made by no op: it is the same in each iteration",
     "let an op write it; of an input `slots: 1` says that it is one"},
    {SWP_W0322, is_unused, "is neither made nor read by any op", "leave it out"},
    {SWP_W0323, is_meant_to_add_up, "is written anew in each iteration, and no op reads it",
     "where an op adds to what was there, let it name the value under `updates`, not `writes`"},
};

static swp_status warn_of_ops(swp_context *ctx, const swp_loop *loop, size_t row)
{
    const swp_loop_op *first = NULL;
    char others[SWP_OTHERS_SIZE];
    int count = 0;
    for (const swp_loop_op *op = loop->ops; op < loop->ops + loop->op_count; op++)
        if (ops[row].applies(loop, op)) {
            first = first ? first : op;
            count++;
        }
    return first ? swp_warn(ctx, ops[row].code, first->place, ops[row].hint, "op %s %s%s",
                            first->name, ops[row].what, swp_text_of_others(count - 1, "op", others))
                 : SWP_OK;
}

static swp_status warn_of_values(swp_context *ctx, const swp_loop *loop, size_t row)
{
    const swp_loop_value *first = NULL;
    char others[SWP_OTHERS_SIZE];
    int count = 0;
    for (int value = 0; value < (int)loop->value_count; value++)
        if (values[row].applies(loop, value)) {
            first = first ? first : &loop->values[value];
            count++;
        }
    return first ? swp_warn(ctx, values[row].code, first->place, values[row].hint, "value %s %s%s",
                            first->name, values[row].what,
                            swp_text_of_others(count - 1, "value", others))
                 : SWP_OK;
}

static bool overflows(const swp_loop *loop, const swp_machine *machine, const swp_loop_op *op)
{
    const swp_sync_object object = swp_ir_loop_object_of(loop, op);
    const int most = object == SWP_NO_OBJECT ? 0 : swp_ir_sync_largest(machine, object);
    return most > 0 && op->accesses > most;
}

/* Ops from `first` to `end` with as many accesses on the same object as `op`. */
static int count_alike(const swp_loop *loop, const swp_loop_op *op, const swp_loop_op *first,
                       const swp_loop_op *end)
{
    int count = 0;
    for (const swp_loop_op *other = first; other < end; other++)
        count += other->accesses == op->accesses &&
                 swp_ir_loop_object_of(loop, other) == swp_ir_loop_object_of(loop, op);
    return count;
}

/* An op that its counter cannot hold waits for its own first accesses while it issues the others. */
static swp_status warn_of_counters(swp_context *ctx, const swp_loop *loop,
                                   const swp_machine *machine)
{
    const swp_loop_op *end = loop->ops + loop->op_count;
    for (const swp_loop_op *op = loop->ops; op < end; op++) {
        char others[SWP_OTHERS_SIZE];
        char *hint = NULL;
        if (!overflows(loop, machine, op) || count_alike(loop, op, loop->ops, op) > 0)
            continue;
        const swp_sync_object object = swp_ir_loop_object_of(loop, op);
        const int most = swp_ir_sync_largest(machine, object);
        SWP_TRY(swp_format(ctx, &hint, "let several ops make %d of them at most each", most));
        SWP_TRY(swp_warn(ctx, SWP_W0601, op->place, hint,
                         "op %s makes %d accesses, but %s holds %d%s", op->name, op->accesses,
                         swp_ir_sync_object_name(object), most,
                         swp_text_of_others(count_alike(loop, op, op + 1, end), "op", others)));
    }
    return SWP_OK;
}

swp_status swp_ir_warn_of_loop(swp_context *ctx, const swp_loop *loop, const swp_machine *machine)
{
    for (size_t row = 0; row < sizeof ops / sizeof ops[0]; row++)
        SWP_TRY(warn_of_ops(ctx, loop, row));
    for (size_t row = 0; row < sizeof values / sizeof values[0]; row++)
        SWP_TRY(warn_of_values(ctx, loop, row));
    return warn_of_counters(ctx, loop, machine);
}
