/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which phase's test decides what a register of a thread holds. It may be one before the last test: each register has its own. A
 * wait that such a register leaves out is to be for that phase.
 */
#include "audit/ptx/execute.h"
#include "audit/ptx/order.h"

enum { SEVERAL = -1 /* mbarriers, or phases */ };

static swp_ptx_test both(swp_ptx_test a, swp_ptx_test b)
{
    const swp_ptx_test several = {.mbarrier = SEVERAL};
    const bool same = a.mbarrier == b.mbarrier && a.phase == b.phase;
    if (!a.mbarrier || same)
        return b;
    return b.mbarrier ? several : a;
}

/* Threads of a chain that do not take part keep what they have. */
static void set_test(const swp_ptx_step *step, int which, int register_number, swp_ptx_test test)
{
    swp_ptx_run *run = step->run;
    const uint32_t own = which ? ~UINT32_C(1) : 1;
    swp_ptx_test *kept = &run->tests[swp_ptx_chain(step->warp, which)][register_number - 1];
    const bool all = !(run->warps[step->warp].alive & own & ~step->lanes);
    if (step->lanes & own)
        *kept = all ? test : both(*kept, test);
}

void swp_ptx_note_test(const swp_ptx_step *step, int which, int mbarrier, int phase)
{
    set_test(step, which, swp_ptx_test_register(step->run->kernel, step->number),
             (swp_ptx_test){.mbarrier = mbarrier + 1, .phase = phase});
}

/* What is computed of tested registers is decided by the same tests. */
static void pass_on(const swp_ptx_step *step, int which)
{
    const int *numbers = step->run->kernel->test_registers;
    const swp_ptx_operand *operands = step->run->module->operands.items;
    const swp_ptx_test *tests = step->run->tests[swp_ptx_chain(step->warp, which)];
    swp_ptx_test of = {0};
    for (int i = step->insn->first; i < step->insn->end; i++)
        if (swp_ptx_is_source(step->insn, &operands[i]) && numbers[operands[i].reg])
            of = both(of, tests[numbers[operands[i].reg] - 1]);
    for (int i = step->insn->first; i < step->insn->end; i++)
        if (swp_ptx_is_result(step->insn, &operands[i]) && numbers[operands[i].reg])
            set_test(step, which, numbers[operands[i].reg], of);
}

void swp_ptx_pass_tests_on(const swp_ptx_step *step)
{
    if (!swp_ptx_test_register(step->run->kernel, step->number))
        return;
    pass_on(step, 0);
    pass_on(step, 1);
}

bool swp_ptx_tests_agree(const swp_ptx_run *run, int number, int chain, int mbarrier, int phase)
{
    const int tested = swp_ptx_test_register(run->kernel, number);
    const swp_ptx_test *test = tested ? &run->tests[chain][tested - 1] : NULL;
    return !test || !test->mbarrier || (test->mbarrier == mbarrier + 1 && test->phase == phase);
}
