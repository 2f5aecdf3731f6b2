/* SPDX-License-Identifier: Apache-2.0 */
/* Which registers stand between an access in flight and a later step of its wave. */
#include "run/machine.h"

static bool writes_register(const swp_run_step *step, int index)
{
    return swp_run_find_operand(&step->writes, false, index) != NULL;
}

/* A GEMM's loads and fragment loads write registers, its stores and COMPUTEs read them at issue. */
static bool role_awaits(const swp_run_step *flying, const swp_run_step *next)
{
    for (size_t i = 0; i < flying->writes.count; i++) {
        const swp_run_operand *written = &flying->writes.items[i];
        if (!written->in_lds && swp_run_find_operand(&next->reads, false, written->index))
            return true;
    }
    return false;
}

static bool role_meets(const swp_run_step *flying, const swp_run_step *next)
{
    for (size_t i = 0; i < flying->writes.count; i++) {
        const swp_run_operand *written = &flying->writes.items[i];
        if (!written->in_lds && writes_register(next, written->index))
            return true;
    }
    return role_awaits(flying, next);
}

/* Of several that make a register, the reader waits for the last one issued. */
static bool op_awaits(const swp_run_machine *m, int access, const swp_run_step *next)
{
    const swp_run_access *a = &m->accesses[access];
    const swp_run_step *flying = swp_run_step_of(m, a);
    if (!flying->is_awaited)
        return false;
    const int index = flying->writes.items[0].index;
    return m->threads[a->instance].states[index].last_maker == access &&
           swp_run_find_operand(&next->reads, false, index);
}

/*
 * Matrix instructions in groups follow each other in one accumulator in order. Of warp roles one that makes it anew does,
 * too; the proof of waves has it wait.
 */
static bool accumulates(const swp_run_machine *m, const swp_run_step *flying,
                        const swp_run_step *next, int index)
{
    const swp_run_operand *read = swp_run_find_operand(&next->reads, false, index);
    return flying->in_order && next->in_order && writes_register(next, index) &&
           writes_register(flying, index) &&
           (read ? read->update : m->program->manner->remakes_in_order);
}

bool swp_run_follows(const swp_run_machine *m, const swp_run_step *earlier,
                     const swp_run_step *later)
{
    for (size_t i = 0; i < later->writes.count; i++)
        if (!later->writes.items[i].in_lds &&
            accumulates(m, earlier, later, later->writes.items[i].index))
            return true;
    return false;
}

/* Whether the later step reads or makes a register that the earlier one makes. */
static bool meets_made(const swp_run_machine *m, const swp_run_step *flying,
                       const swp_run_step *next)
{
    for (size_t i = 0; i < flying->writes.count; i++) {
        const swp_run_operand *made = &flying->writes.items[i];
        if (!made->in_lds && !accumulates(m, flying, next, made->index) &&
            (writes_register(next, made->index) ||
             swp_run_find_operand(&next->reads, false, made->index)))
            return true;
    }
    return false;
}

static bool meets_read(const swp_run_machine *m, const swp_run_step *flying,
                       const swp_run_step *next)
{
    for (size_t i = 0; flying->reads_in_flight && i < flying->reads.count; i++) {
        const swp_run_operand *read = &flying->reads.items[i];
        if (!read->in_lds && writes_register(next, read->index) &&
            !accumulates(m, flying, next, read->index))
            return true;
    }
    return false;
}

bool swp_run_awaits(const swp_run_machine *m, int access, const swp_run_step *next)
{
    if (m->limits->registers == SWP_REGISTERS_RAW)
        return false;
    return m->program->dataflow ? op_awaits(m, access, next)
                                : role_awaits(swp_run_step_of(m, &m->accesses[access]), next);
}

bool swp_run_meets_register(const swp_run_machine *m, const swp_run_step *flying,
                            const swp_run_step *next)
{
    const bool is_raw = m->limits->registers == SWP_REGISTERS_RAW;
    if (!m->program->dataflow)
        return is_raw && role_meets(flying, next);
    return ((is_raw || !flying->is_awaited) && meets_made(m, flying, next)) ||
           meets_read(m, flying, next);
}
