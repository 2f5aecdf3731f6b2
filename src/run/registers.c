/* SPDX-License-Identifier: Apache-2.0 */
/* Which registers stand between an access in flight and a later step of its wave. */
#include "run/machine.h"

static bool writes_register(const swp_run_step *step, int index)
{
    return swp_run_find_operand(&step->writes, false, index) != NULL;
}

/*
 * A GEMM's loads and fragment loads write registers, its stores and COMPUTEs read them at issue. Two
 * fragment loads take effect in order, so that a compiler below lets the second one go.
 */
static bool role_needs(const swp_run_machine *m, const swp_run_step *flying,
                       const swp_run_step *next)
{
    for (size_t i = 0; i < flying->writes.count; i++) {
        const swp_run_operand *written = &flying->writes.items[i];
        if (!written->in_lds &&
            (swp_run_find_operand(&next->reads, false, written->index) ||
             (m->limits->registers == SWP_REGISTERS_RAW && writes_register(next, written->index))))
            return true;
    }
    return false;
}

/* What follows in one accumulator is done in order where lgkmcnt counts both. */
static bool accumulates(const swp_run_step *flying, const swp_run_step *next, int index)
{
    const swp_run_operand *read = swp_run_find_operand(&next->reads, false, index);
    return flying->counter == SWP_RUN_LGKM && next->counter == SWP_RUN_LGKM && read &&
           read->update && writes_register(next, index) && writes_register(flying, index);
}

/* Whether one of the list is a register that the other step makes, not as an accumulator of both. */
static bool meets(const swp_run_operand_list *list, const swp_run_step *maker,
                  const swp_run_step *flying, const swp_run_step *next)
{
    for (size_t i = 0; i < list->count; i++) {
        const swp_run_operand *operand = &list->items[i];
        if (!operand->in_lds && writes_register(maker, operand->index) &&
            !accumulates(flying, next, operand->index))
            return true;
    }
    return false;
}

static bool op_needs(const swp_run_step *flying, const swp_run_step *next)
{
    return meets(&next->reads, flying, flying, next) ||
           meets(&next->writes, flying, flying, next) || meets(&flying->reads, next, flying, next);
}

bool swp_run_needs_register(const swp_run_machine *m, const swp_run_step *flying,
                            const swp_run_step *next)
{
    return m->program->dataflow ? op_needs(flying, next) : role_needs(m, flying, next);
}
