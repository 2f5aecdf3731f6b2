/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits that ask again until their phase is complete: the ways back from a failed one, followed with what is known there. They
 * may count, look at a clock, sleep and give up by a trap; what they write is unknown behind the wait.
 */
#include "audit/ptx/execute.h"

#include <limits.h>

enum { MOST_INSTRUCTIONS = 64 };

/* What is known of registers behind a wait that has failed, and what may be executed until it asks again. */
typedef struct retry {
    const swp_ptx_module *module;
    const swp_ptx_insn *wait;
    int number; /* of the wait */
    struct {
        int reg;
        uint64_t number;
    } known[4];
    int count;
    int ways[MOST_INSTRUCTIONS]; /* behind the first branch */
    int way_count;
    int first; /* of the instructions right before the wait that are executed whenever it is, and give the same each time */
} retry;

static bool is_plain(const swp_ptx_insn *insn)
{
    return (insn->kind < SWP_PTX_SHUFFLE || insn->kind == SWP_PTX_MAP_ADDRESS ||
            insn->kind == SWP_PTX_LOAD_PARAM) &&
           insn->guard < 0;
}

static bool is_known_at_retry(const retry *r, const swp_ptx_operand *operand, uint64_t *out)
{
    if (operand->atom == SWP_PTX_NUMBER) {
        *out = (uint64_t)operand->value;
        return true;
    }
    for (int i = r->count - 1; i >= 0 && operand->atom == SWP_PTX_REGISTER; i--)
        if (r->known[i].reg == operand->reg) {
            *out = r->known[i].number ^ operand->negated;
            return true;
        }
    return false;
}

/* It is executed behind a wait that has succeeded, too, and so leaves nothing of the failure. */
static bool compute_at_retry(retry *r, const swp_ptx_insn *insn)
{
    const swp_ptx_operand *operands = r->module->operands.items;
    uint64_t sources[SWP_PTX_MOST_SOURCES + 1];
    int count = 0;
    if (insn->guard >= 0 || insn->first == insn->end || r->count == 4)
        return false;
    for (int i = insn->first + 1; i < insn->end; i++)
        if (operands[i].group == 0 || count > SWP_PTX_MOST_SOURCES ||
            !is_known_at_retry(r, &operands[i], &sources[count++]))
            return false;
    for (int i = r->wait->first; i < r->wait->end; i++)
        if (operands[i].atom == SWP_PTX_REGISTER && operands[i].reg == operands[insn->first].reg)
            return false;
    r->known[r->count].reg = operands[insn->first].reg;
    return operands[insn->first].atom == SWP_PTX_REGISTER &&
           swp_ptx_compute(insn, sources, count, &r->known[r->count++].number);
}

/* Instructions in the order from the wait through the end of the kernel to the wait again: ways that go on in it come to an end. */
static int64_t place_on_way(const retry *r, int number)
{
    return number > r->number ? number : (int64_t)number + INT_MAX;
}

/* Adds what comes behind an instruction, unless that is the wait; false: it goes another way. */
static bool add_way(retry *r, int from, int to)
{
    if (to == r->number)
        return true;
    for (int i = 0; i < r->way_count; i++)
        if (r->ways[i] == to)
            return place_on_way(r, from) < place_on_way(r, to);
    if (r->way_count == MOST_INSTRUCTIONS || place_on_way(r, from) >= place_on_way(r, to))
        return false;
    r->ways[r->way_count++] = to;
    return true;
}

static bool writes_known(const retry *r, const swp_ptx_insn *insn)
{
    for (int i = insn->first; i < insn->end; i++)
        for (int k = 0; k < r->count && r->module->operands.items[i].group == 0; k++)
            if (r->module->operands.items[i].atom == SWP_PTX_REGISTER &&
                r->module->operands.items[i].reg == r->known[k].reg)
                return true;
    return false;
}

/* What comes behind one instruction of the ways; false: it does more than ask again. */
static bool follow_way(retry *r, int at)
{
    const swp_ptx_insn *insn = &r->module->insns.items[at];
    const swp_ptx_operand guard = {.atom = SWP_PTX_REGISTER, .reg = insn->guard};
    uint64_t holds = 1;
    if (insn->kind == SWP_PTX_TRAP)
        return insn->guard < 0 || add_way(r, at, at + 1);
    if (insn->kind > SWP_PTX_BRANCH || insn->meets || writes_known(r, insn))
        return false;
    if (insn->kind != SWP_PTX_BRANCH)
        return add_way(r, at, at + 1);
    const bool known = insn->guard < 0 || is_known_at_retry(r, &guard, &holds);
    const bool taken = (holds != 0) != (insn->guard >= 0 && insn->guard_negated);
    return ((known && !taken) || add_way(r, at, insn->target)) &&
           ((known && taken) || add_way(r, at, at + 1));
}

static bool writes(const retry *r, int number, int reg)
{
    const swp_ptx_operand *operands = r->module->operands.items;
    const swp_ptx_insn *insn = &r->module->insns.items[number];
    for (int i = insn->first; i < insn->end; i++)
        if (swp_ptx_is_result(insn, &operands[i]) && operands[i].reg == reg)
            return true;
    return false;
}

/* Whether the ways write a register, but for what is executed again right before the wait. */
static bool is_written_on_ways(const retry *r, int reg)
{
    for (int i = 0; i < r->way_count; i++)
        if ((r->ways[i] < r->first || r->ways[i] > r->number) && writes(r, r->ways[i], reg))
            return true;
    return false;
}

/* Whether an instruction gives something else each time: what it reads is written on the ways, or by it and those behind it up to an end. */
static bool changes(const retry *r, int number, int end)
{
    const swp_ptx_operand *operands = r->module->operands.items;
    const swp_ptx_insn *insn = &r->module->insns.items[number];
    bool changed = false;
    for (int i = insn->first; i < insn->end && !changed; i++) {
        if (insn->has_results && operands[i].group == 0)
            continue;
        changed = operands[i].atom == SWP_PTX_SINK;
        if (operands[i].atom == SWP_PTX_REGISTER)
            changed = is_written_on_ways(r, operands[i].reg);
        for (int j = number; j < end && operands[i].atom == SWP_PTX_REGISTER; j++)
            changed |= writes(r, j, operands[i].reg);
    }
    return changed;
}

/* Whether it computes, and not what the wait reads. */
static bool only_computes(const retry *r, int number)
{
    const swp_ptx_operand *operands = r->module->operands.items;
    bool good = is_plain(&r->module->insns.items[number]);
    for (int i = r->wait->first; i < r->wait->end && good; i++)
        good = operands[i].atom != SWP_PTX_REGISTER || !writes(r, number, operands[i].reg);
    return good;
}

static void find_first(retry *r)
{
    const swp_ptx_insn *insns = r->module->insns.items;
    r->first = r->number;
    while (r->first > 0 && !insns[r->first].is_target && is_plain(&insns[r->first - 1]))
        r->first--;
    for (int at = r->first; at < r->number; at++)
        if (changes(r, at, r->number))
            r->first = at + 1;
}

/*
 * What stands between the wait and the first branch behind it is executed also when it succeeds, and then last: it must be the
 * same as when nothing has failed before.
 */
static bool find_ways(retry *r)
{
    const swp_ptx_insn *insns = r->module->insns.items;
    bool is_known[MOST_INSTRUCTIONS] = {0};
    int branch = r->number + 1;
    for (int i = 0; insns[branch].kind != SWP_PTX_BRANCH; i++, branch++) {
        if (i == MOST_INSTRUCTIONS || branch + 1 == (int)r->module->insns.count)
            return false;
        is_known[i] = insns[branch].kind == SWP_PTX_NOTHING || compute_at_retry(r, &insns[branch]);
        if (!is_known[i] && !only_computes(r, branch))
            return false;
    }
    bool good = follow_way(r, branch);
    for (int i = 0; i < r->way_count && good; i++)
        good = follow_way(r, r->ways[i]);
    find_first(r);
    for (int at = r->number + 1; at < branch && good; at++)
        good = is_known[at - r->number - 1] || !changes(r, at, branch);
    return good && !changes(r, r->number, r->number);
}

static retry retry_of(const swp_ptx_module *module, int wait, int predicate)
{
    return (retry){.module = module,
                   .wait = &module->insns.items[wait],
                   .number = wait,
                   .known = {{predicate, 0}},
                   .count = 1};
}

bool swp_ptx_spins(const swp_ptx_module *module, int wait, int predicate)
{
    retry r = retry_of(module, wait, predicate);
    return find_ways(&r);
}

void swp_ptx_end_spin(const swp_ptx_step *step, int predicate)
{
    retry r = retry_of(step->run->module, step->number, predicate);
    swp_ptx_step way = *step;
    if (!find_ways(&r))
        return;
    for (int i = 0; i < r.way_count; i++) {
        way.number = r.ways[i];
        way.insn = &r.module->insns.items[r.ways[i]];
        if (way.number < r.first || way.number > r.number)
            swp_ptx_forget_results(&way, SWP_PTX_DATA);
    }
}
