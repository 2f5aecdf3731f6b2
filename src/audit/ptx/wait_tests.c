/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of a phase whose success lets a wait for it be left out, as CUTLASS' `consumer_try_wait` and `consumer_wait` are: a run takes
 * each test to fail, and so goes through the wait. One that succeeds tells its thread of the same phase, only earlier. That holds
 * where nothing but a branch round such a wait comes of a test, and the wait is for the phase that was tested (tested_registers.c).
 */
#include "audit/ptx/regions.h"

/* Registers that tests decide, in sets of those that have to do with each other (union-find). */
typedef struct sets {
    const swp_ptx_module *module;
    const swp_ptx_kernel *kernel;
    int *parent;  /* of each register; -1: no test decides it */
    bool *broken; /* of a set: more comes of its tests than waits that are left out */
    int *numbers; /* of a register of a set that is not, from 1 */
    swp_ptx_region *region;
} sets;

static int root_of(const sets *s, int reg)
{
    while (s->parent[reg] >= 0 && s->parent[reg] != reg)
        reg = s->parent[reg];
    return s->parent[reg] < 0 ? -1 : reg;
}

/* Joins the sets of two registers; the second one may be in none, or be -1. True: something is new. */
static bool join(sets *s, int reg, int other)
{
    const int to = root_of(s, reg);
    const int from = other < 0 ? to : root_of(s, other);
    if (from == to)
        return false;
    s->parent[from < 0 ? other : from] = to;
    s->broken[to] |= from >= 0 && s->broken[from];
    return true;
}

static const swp_ptx_operand *operand_at(const sets *s, int i)
{
    return &s->module->operands.items[i];
}

/* A register that tests decide and that an instruction reads, or goes by; -1: there is none. */
static int decided_source(const sets *s, const swp_ptx_insn *insn)
{
    if (insn->guard >= 0 && root_of(s, insn->guard) >= 0)
        return insn->guard;
    for (int i = insn->first; i < insn->end; i++) {
        const swp_ptx_operand *operand = operand_at(s, i);
        if (swp_ptx_is_source(insn, operand) && root_of(s, operand->reg) >= 0)
            return operand->reg;
    }
    return -1;
}

/* It asks once, and goes on whatever the answer is. */
static bool is_test(const sets *s, int number)
{
    const swp_ptx_insn *insn = &s->module->insns.items[number];
    const swp_ptx_operand *result =
        insn->kind == SWP_PTX_WAIT ? swp_ptx_operand_of(s->module, insn, 0) : NULL;
    return result && result->atom == SWP_PTX_REGISTER && insn->guard < 0 &&
           !swp_ptx_spins(s->module, number, result->reg);
}

static bool only_computes(const swp_ptx_insn *insn)
{
    return insn->kind > SWP_PTX_NOTHING && insn->kind < SWP_PTX_SHUFFLE;
}

/* Joins what an instruction reads and writes of what tests decide; true: something is new. */
static bool follow(sets *s, const swp_ptx_insn *insn)
{
    const int source = decided_source(s, insn);
    bool grows = false;
    if (source < 0)
        return false;
    for (int i = insn->first; i < insn->end; i++) {
        const swp_ptx_operand *operand = operand_at(s, i);
        const bool result = swp_ptx_is_result(insn, operand);
        if (operand->atom == SWP_PTX_REGISTER && (result || root_of(s, operand->reg) >= 0))
            grows |= join(s, source, operand->reg);
    }
    if (insn->guard >= 0 && root_of(s, insn->guard) >= 0)
        grows |= join(s, source, insn->guard);
    return grows;
}

static bool reads(const sets *s, const swp_ptx_insn *insn, int reg)
{
    bool does = insn->guard == reg;
    for (int i = insn->first; i < insn->end; i++)
        does |= swp_ptx_is_source(insn, operand_at(s, i)) && operand_at(s, i)->reg == reg;
    return does;
}

static bool is_read_elsewhere(const sets *s, int reg)
{
    bool is = false;
    for (int i = s->kernel->first; i < s->kernel->end && !is; i++)
        is = !s->region->marks[i] && reads(s, &s->module->insns.items[i], reg);
    return is;
}

static bool leaves_result(const sets *s, const swp_ptx_insn *insn)
{
    bool leaves = false;
    for (int i = insn->first; i < insn->end; i++)
        leaves |= swp_ptx_is_result(insn, operand_at(s, i)) &&
                  is_read_elsewhere(s, operand_at(s, i)->reg);
    return leaves;
}

/* Whether a register that the region writes is read elsewhere: behind it the two ways differ then. */
static bool leaves_results(const sets *s)
{
    const swp_ptx_region *r = s->region;
    bool leaves = false;
    for (int i = 0; i < r->count; i++)
        r->marks[r->items[i]] = true;
    for (int i = 0; i < r->count && !leaves; i++)
        leaves = leaves_result(s, &s->module->insns.items[r->items[i]]);
    for (int i = 0; i < r->count; i++)
        r->marks[r->items[i]] = false;
    return leaves;
}

/* The one wait that stands between a branch and where its ways meet; -1: there is none, or more comes of the branch. */
static int find_wait(const sets *s, int branch)
{
    const swp_ptx_insn *insns = s->module->insns.items;
    int wait = -1;
    if (swp_ptx_find_join(s->region, branch) < 0)
        return -1;
    for (int i = 0; i < s->region->count; i++) {
        const int number = s->region->items[i];
        if (insns[number].kind < SWP_PTX_BRANCH || insns[number].kind == SWP_PTX_BRANCH)
            continue;
        if (insns[number].kind != SWP_PTX_WAIT || wait >= 0 || is_test(s, number))
            return -1;
        wait = number;
    }
    return wait >= 0 && !leaves_results(s) ? wait : -1;
}

/*
 * What comes of what tests decide: it is computed with, a wait is left out by it, or else the set is of no use. What it guards
 * keeps what was there, in a run as in one whose test succeeds.
 */
static void judge_use(const sets *s, int number, int *waits)
{
    const swp_ptx_insn *insn = &s->module->insns.items[number];
    const int source = decided_source(s, insn);
    if (source < 0 || (only_computes(insn) && source != insn->guard))
        return;
    const int set = root_of(s, source);
    const int wait = insn->kind == SWP_PTX_BRANCH && !s->broken[set] ? find_wait(s, number) : -1;
    s->broken[set] |= wait < 0 || (waits[wait] && waits[wait] != source + 1);
    if (wait >= 0)
        waits[wait] = source + 1;
}

static int size_of(const sets *s, int set)
{
    int size = 0;
    for (int reg = 0; reg <= s->kernel->registers; reg++)
        size += root_of(s, reg) == set;
    return size;
}

/* Registers of sets that are of use have numbers, where there are enough for the whole set. */
static int number_registers(sets *s)
{
    int count = 0;
    for (int set = 0; set <= s->kernel->registers; set++) {
        if (s->parent[set] != set || s->broken[set] ||
            count + size_of(s, set) > SWP_PTX_MOST_TESTED)
            continue;
        for (int reg = 0; reg <= s->kernel->registers; reg++)
            if (root_of(s, reg) == set)
                s->numbers[reg] = ++count;
    }
    return count;
}

/* The register by which an instruction has to do with tests: what it writes, or what leaves it out. -1: there is none. */
static int register_of(const sets *s, int number, int left_out_by)
{
    const swp_ptx_insn *insn = &s->module->insns.items[number];
    if (is_test(s, number))
        return swp_ptx_operand_of(s->module, insn, 0)->reg;
    if (left_out_by >= 0)
        return left_out_by;
    for (int i = insn->first; i < insn->end && insn->kind < SWP_PTX_BRANCH; i++)
        if (swp_ptx_is_result(insn, operand_at(s, i)) && s->numbers[operand_at(s, i)->reg])
            return operand_at(s, i)->reg;
    return -1;
}

static void number_instructions(const sets *s, int *tests)
{
    for (int i = s->kernel->first; i < s->kernel->end; i++) {
        const int reg = register_of(s, i, tests[i] - 1);
        tests[i] = reg < 0 ? 0 : s->numbers[reg];
    }
}

static bool start_sets(sets *s)
{
    bool any = false;
    for (int r = 0; r <= s->kernel->registers; r++)
        s->parent[r] = -1;
    for (int i = s->kernel->first; i < s->kernel->end; i++) {
        if (!is_test(s, i))
            continue;
        const int reg = swp_ptx_operand_of(s->module, &s->module->insns.items[i], 0)->reg;
        if (s->parent[reg] < 0)
            s->parent[reg] = reg;
        any = true;
    }
    return any;
}

swp_status swp_ptx_find_wait_tests(swp_context *ctx, const swp_ptx_module *module,
                                   swp_ptx_kernel *kernel)
{
    sets s = {.module = module, .kernel = kernel};
    const size_t registers = (size_t)kernel->registers + 1;
    int *tests = NULL;
    bool grows = true;
    SWP_TRY(SWP_TAKE(ctx, (size_t)kernel->end + 1, &tests));
    SWP_TRY(SWP_TAKE(ctx, registers, &s.parent));
    SWP_TRY(SWP_TAKE(ctx, registers, &s.broken));
    SWP_TRY(SWP_TAKE(ctx, registers, &s.numbers));
    SWP_TRY(SWP_TAKE(ctx, 1, &s.region));
    s.region->module = module;
    s.region->kernel = kernel;
    s.region->takes_waits = true;
    SWP_TRY(SWP_TAKE(ctx, (size_t)kernel->end + 1, &s.region->marks));
    kernel->wait_tests = tests;
    if (!start_sets(&s))
        return SWP_OK;
    while (grows) {
        grows = false;
        for (int i = kernel->first; i < kernel->end; i++)
            if (only_computes(&module->insns.items[i]))
                grows |= follow(&s, &module->insns.items[i]);
    }
    for (int i = kernel->first; i < kernel->end; i++)
        judge_use(&s, i, tests);
    kernel->tested = number_registers(&s);
    kernel->test_registers = s.numbers;
    number_instructions(&s, tests);
    return SWP_OK;
}
