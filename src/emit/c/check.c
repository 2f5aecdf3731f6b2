/* SPDX-License-Identifier: Apache-2.0 */
/* What the target's instructions cannot say, and a machine that it is not. */
#include "emit/c/header.h"

#include "base/diag.h"
#include "base/names.h"
#include "ir/entry.h"
#include "ir/schedule.h"
#include "swp/loop.h"

/* LLVM's masks for the kinds of sched_group_barrier (docs/json.md, "Entries"), in the order of these. */
static const unsigned group_masks[] = {0x100, 0x200, 0x20, 0x8};

unsigned swp_c_group_mask(int kind)
{
    return group_masks[kind];
}

static swp_status refuse(const swp_c_header *header, swp_phase phase, size_t index,
                         const char *what, int value, const char *hint)
{
    const swp_op *op = &swp_schedule_phase(header->schedule, phase)->items[index].op;
    return swp_error(header->ctx, SWP_E0802, SWP_NOWHERE, hint, "%s entry %zu (%s): %s is %d",
                     swp_phase_name(phase), index, swp_schedule_op_name(header->schedule, op->tag),
                     what, value);
}

static swp_status check_entry(const swp_c_header *header, swp_phase phase, size_t index)
{
    const swp_op *op = &swp_schedule_phase(header->schedule, phase)->items[index].op;
    const int prio_max = header->machine->prio_max;
    if (swp_ir_is_work(op) && op->role == SWP_SYNC)
        return refuse(header, phase, index, "its kind is sync, but its tag", op->tag,
                      "barrier is 128, wait_vm 129, wait_lgkm 130");
    if (swp_ir_is_work(op))
        return SWP_OK;
    if (op->wait_value < 0)
        return refuse(header, phase, index, "its number", op->wait_value, "give 0 or more");
    if (op->tag == SWP_TAG_SET_PRIO && prio_max > 0 && op->wait_value > prio_max)
        return refuse(header, phase, index, "the priority", op->wait_value,
                      "s_setprio takes 0 to 3");
    const int kinds = (int)SWP_COUNT_OF(group_masks);
    if (op->tag == SWP_TAG_SCHED_GROUP_BARRIER && (op->subtile < 0 || op->subtile >= kinds))
        return refuse(header, phase, index, "the mask", op->subtile,
                      "0 is ds_read, 1 ds_write, 2 vmem_read, 3 mfma");
    return SWP_OK;
}

/*
 * The proof may rest on issue that stalls at a full counter, so a counter that holds more than the
 * proof's would break it.
 */
static swp_status check_counter(const swp_c_header *header, const char *setting, int proven,
                                int real)
{
    const swp_machine *machine = &header->schedule->machine;
    if (real == 0 || proven >= real || machine->counter_full == SWP_COUNTER_WRAPS)
        return SWP_OK;
    return swp_error(
        header->ctx, SWP_E0803, SWP_NOWHERE,
        "leave it at the target's, or set machine.counter_full to wraps, which proves that "
        "the counter is never full",
        "machine.%s is %d, but on %s issue stalls at %d only", setting, proven,
        header->schedule->target, real);
}

/* The counter that an entry waits for, and what it holds; 0: it waits for none, or nobody knows. */
static int counter_of(const swp_c_header *header, const swp_op *op, const char **name)
{
    const bool vm = swp_ir_wait_kind(op) == SWP_WAIT_FOR_VM;
    *name = vm ? "vmcnt" : "lgkmcnt";
    return swp_ir_is_wait(op) ? swp_c_counter_max(header, vm) : 0;
}

/* Said once, of the first: a schedule that has one mostly has it in every pass, and in every form. */
static swp_status check_wait(const swp_c_header *header, swp_phase phase, size_t index,
                             bool *warned)
{
    const swp_op *op = &swp_schedule_phase(header->schedule, phase)->items[index].op;
    const char *name = NULL;
    const int most = counter_of(header, op, &name);
    if (*warned || most == 0 || op->wait_value <= most)
        return SWP_OK;
    *warned = true;
    return swp_warn(header->ctx, SWP_W0801, SWP_NOWHERE,
                    "no more than that are ever in flight: leave the wait out, or give a count "
                    "that it can hold",
                    "%s entry %zu: a wait that lets %d stay outstanding cannot be encoded: %s "
                    "holds %d; "
                    "it is written as one for %d, which waits for nothing",
                    swp_phase_name(phase), index, op->wait_value, name, most, most);
}

static swp_status check_entries(const swp_c_header *header, bool *warned)
{
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        for (size_t i = 0; i < swp_schedule_phase(header->schedule, phase)->count; i++) {
            SWP_TRY(check_entry(header, phase, i));
            SWP_TRY(check_wait(header, phase, i, warned));
        }
    return SWP_OK;
}

swp_status swp_c_check(const swp_c_header *header)
{
    const swp_machine *machine = &header->schedule->machine;
    bool warned = false;
    SWP_TRY(swp_ir_check_one_stream(header->ctx, header->schedule));
    SWP_TRY(check_counter(header, "vm_max", machine->vm_max, swp_c_counter_max(header, true)));
    SWP_TRY(check_counter(header, "lgkm_max", machine->lgkm_max, swp_c_counter_max(header, false)));
    for (int i = 0; i < swp_schedule_forms(header->schedule); i++) {
        const swp_schedule form = swp_schedule_form(header->schedule, i);
        swp_c_header one = *header;
        one.schedule = &form;
        SWP_TRY(check_entries(&one, &warned));
    }
    return SWP_OK;
}
