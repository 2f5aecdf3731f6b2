/* SPDX-License-Identifier: Apache-2.0 */
/* Waits that ask again until their phase is complete: the way back from a failed one, followed with what is known there. */
#include "audit/ptx/execute.h"

/* What is known of registers behind a wait that has failed. */
typedef struct retry {
    const swp_ptx_module *module;
    const swp_ptx_insn *wait;
    struct {
        int reg;
        uint64_t number;
    } known[4];
    int count;
} retry;

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

bool swp_ptx_spins(const swp_ptx_module *module, int wait, int predicate)
{
    enum { MOST_INSTRUCTIONS = 16 };
    retry r = {.module = module,
               .wait = &module->insns.items[wait],
               .known = {{predicate, 0}},
               .count = 1};
    bool branched = false;
    int at = wait + 1;
    for (int i = 0; i < MOST_INSTRUCTIONS && at != wait; i++) {
        const swp_ptx_insn *insn = &module->insns.items[at];
        const swp_ptx_operand guard = {.atom = SWP_PTX_REGISTER, .reg = insn->guard};
        uint64_t holds = 1;
        if (insn->kind == SWP_PTX_BRANCH) {
            if (insn->guard >= 0 && !is_known_at_retry(&r, &guard, &holds))
                return false;
            branched = true;
            at = (holds != 0) != (insn->guard >= 0 && insn->guard_negated) ? insn->target : at + 1;
        } else if (insn->kind == SWP_PTX_NOTHING ||
                   (insn->kind > SWP_PTX_NOTHING && insn->kind < SWP_PTX_SHUFFLE && !branched &&
                    compute_at_retry(&r, insn))) {
            at++;
        } else {
            return false;
        }
    }
    return at == wait;
}
