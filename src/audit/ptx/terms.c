/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Value numbering (Alpern, Wegman, Zadeck 1988) of unknown values that all threads of a work group have alike. What threads
 * load by one instruction from one address is taken for the same.
 */
#include "audit/ptx/terms.h"

#include "base/names.h"

#include <string.h>

enum {
    BUCKETS = 1 << 12,
    MOST_TERMS = 1 << 18,
    ARGUMENT = -1,
    FIRST_LOAD = -2 /* and below: of the instruction of that number */
};

static swp_status find_operations(struct swp_ptx_terms *terms, const swp_ptx_module *module)
{
    const swp_ptx_insn *insns = module->insns.items;
    int *firsts = NULL;
    int known = 0;
    SWP_TRY(SWP_TAKE(terms->ctx, module->insns.count + 1, &firsts));
    for (size_t i = 0; i < module->insns.count; i++) {
        int k = 0;
        while (k < known && (insns[firsts[k]].name.length != insns[i].name.length ||
                             memcmp(insns[firsts[k]].name.start, insns[i].name.start,
                                    insns[i].name.length) != 0))
            k++;
        if (k == known)
            firsts[known++] = (int)i;
        terms->operations[i] = firsts[k];
    }
    return SWP_OK;
}

swp_status swp_ptx_terms_open(swp_context *ctx, const swp_ptx_module *module,
                              struct swp_ptx_terms *out)
{
    *out = (struct swp_ptx_terms){.ctx = ctx};
    SWP_TRY(SWP_TAKE(ctx, BUCKETS, &out->buckets));
    SWP_TRY(SWP_TAKE(ctx, module->insns.count + 1, &out->operations));
    SWP_TRY(find_operations(out, module));
    return SWP_PUSH(ctx, out, (swp_ptx_term){0});
}

/* --- the table --- */

static unsigned bucket_of(const swp_ptx_term *term)
{
    uint64_t hash = (uint64_t)term->operation;
    for (int i = 0; i < term->count; i++) {
        const swp_ptx_term_source *s = &term->sources[i];
        hash = (hash ^ (uint64_t)s->term ^ s->number << 20 ^ (uint64_t)s->negated << 60) *
               UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return (unsigned)(hash >> 20 & (BUCKETS - 1));
}

static bool is_same(const swp_ptx_term *a, const swp_ptx_term *b)
{
    bool same = a->operation == b->operation && a->count == b->count;
    for (int i = 0; i < a->count && same; i++)
        same = a->sources[i].term == b->sources[i].term &&
               a->sources[i].number == b->sources[i].number &&
               a->sources[i].negated == b->sources[i].negated;
    return same;
}

/* The number of a term; 0: there are too many. */
static int number_of(swp_ptx_run *run, swp_ptx_term term)
{
    struct swp_ptx_terms *terms = run->terms;
    int *bucket = &terms->buckets[bucket_of(&term)];
    for (int at = *bucket; at; at = terms->items[at].next)
        if (is_same(&terms->items[at], &term))
            return at;
    if (terms->count >= MOST_TERMS || run->status != SWP_OK)
        return 0;
    term.next = *bucket;
    run->status = SWP_PUSH(terms->ctx, terms, term);
    if (run->status == SWP_OK)
        *bucket = (int)terms->count - 1;
    return *bucket;
}

/* --- values --- */

static swp_ptx_value given_number(const swp_ptx_run *run, const swp_ptx_argument *argument)
{
    swp_ptx_value value = swp_ptx_number(argument->value);
    if (argument->bits < 64)
        value.one &= (UINT64_C(1) << argument->bits) - 1;
    for (int c = 0; c < SWP_PTX_COUNTS; c++)
        value.slope[c] = run->counts.most[c] ? argument->slope[c] : 0;
    return argument->bits < 32 && swp_ptx_is_affine(&value) ? swp_ptx_unknown(SWP_PTX_DATA) : value;
}

static swp_ptx_value named(swp_ptx_value value, int term)
{
    value.term = term;
    return value;
}

static swp_ptx_value value_of(swp_ptx_run *run, int term, swp_ptx_sources depends)
{
    swp_ptx_value value = swp_ptx_unknown(depends);
    value.term = term;
    for (int i = 0; i < run->arguments->count && term; i++) {
        const swp_ptx_argument *argument = &run->arguments->items[i];
        if (argument->param == SWP_PTX_TERM && argument->given && argument->offset == term)
            return named(given_number(run, argument), term);
    }
    return value;
}

swp_ptx_value swp_ptx_value_of_term(swp_ptx_run *run, swp_ptx_term term)
{
    return value_of(run, number_of(run, term), term.depends);
}

swp_ptx_value swp_ptx_term_of_argument(swp_ptx_run *run, int argument)
{
    const swp_ptx_sources depends = SWP_PTX_SOURCE(argument);
    if (!run->terms)
        return swp_ptx_unknown(depends);
    const swp_ptx_term term = {.operation = ARGUMENT,
                               .count = 1,
                               .sources = {{.number = (uint64_t)argument}},
                               .depends = depends};
    return swp_ptx_value_of_term(run, term);
}

bool swp_ptx_takes_part(const swp_ptx_value *value)
{
    return (value->state == SWP_PTX_UNIFORM && (!swp_ptx_is_affine(value) || value->term)) ||
           (value->state == SWP_PTX_UNKNOWN && value->term);
}

/* Of memory that others tell something by, that a thread has alone or that a work group writes, nothing is the same for all. */
static bool changes(const swp_ptx_insn *insn)
{
    static const char *const orders[] = {"acquire", "relaxed", "volatile",   "mmio",
                                         "local",   "shared",  "shared::cta"};
    bool is = false;
    for (size_t i = 0; i < SWP_COUNT_OF(orders); i++)
        is |= swp_ptx_has(insn->name, orders[i]);
    return is;
}

swp_ptx_value swp_ptx_term_of_load(const swp_ptx_step *step, int element)
{
    const swp_ptx_operand *operands = step->run->module->operands.items;
    const swp_ptx_insn *insn = step->insn;
    swp_ptx_term term = {.operation = FIRST_LOAD - step->number,
                         .insn = step->number,
                         .bits = insn->type.bits,
                         .count = 2,
                         .depends = SWP_PTX_DATA};
    term.sources[1].number = (uint64_t)element;
    for (int i = insn->first; i < insn->end && step->run->terms && !changes(insn); i++) {
        if (!operands[i].address)
            continue;
        const swp_ptx_value address = swp_ptx_read_operand(step, &operands[i]);
        if (!swp_ptx_takes_part(&address))
            break;
        term.sources[0].term = address.term;
        term.sources[0].number = (uint64_t)swp_ptx_offset(&operands[i]);
        if (!address.term)
            term.sources[0].number += address.one;
        return swp_ptx_value_of_term(step->run, term);
    }
    return swp_ptx_unknown(SWP_PTX_DATA);
}

/* Of one that is moved the same term. */
static int term_of_result(const swp_ptx_step *step, const swp_ptx_value *unknown,
                          const swp_ptx_term_source *sources, int count)
{
    swp_ptx_term term = {.operation = step->run->terms->operations[step->number],
                         .insn = step->number,
                         .bits = step->insn->kind == SWP_PTX_SETP ? 1 : step->insn->type.bits,
                         .count = count,
                         .depends = unknown->depends};
    if (step->insn->wide)
        term.bits *= 2;
    if (step->insn->kind == SWP_PTX_MOVE && !sources[0].negated)
        return sources[0].term;
    for (int i = 0; i < count; i++)
        term.sources[i] = sources[i];
    return number_of(step->run, term);
}

swp_ptx_value swp_ptx_term_of_result(const swp_ptx_step *step, swp_ptx_value unknown,
                                     const swp_ptx_term_source *sources, int count)
{
    bool any = unknown.state == SWP_PTX_UNKNOWN;
    for (int i = 0; i < count; i++)
        any |= sources[i].term != 0;
    if (!step->run->terms || unknown.state == SWP_PTX_VARYING || !any)
        return unknown;
    const int term = term_of_result(step, &unknown, sources, count);
    /* What is computed from a number that a term has been given keeps its name: other comparisons go by that. */
    if (unknown.state == SWP_PTX_UNIFORM)
        return named(unknown, term);
    return value_of(step->run, term, unknown.depends);
}

bool swp_ptx_is_in_loop(const swp_ptx_run *run, int at)
{
    for (int i = at; i < run->kernel->end; i++)
        if (run->module->insns.items[i].kind == SWP_PTX_BRANCH &&
            run->module->insns.items[i].target <= at)
            return true;
    return false;
}

/* --- questions --- */

bool swp_ptx_has_term(const swp_ptx_step *step, const swp_ptx_value *value)
{
    return step->run->terms && value->state == SWP_PTX_UNKNOWN && value->term &&
           !(value->undefined & step->lanes);
}

bool swp_ptx_is_load(const swp_ptx_term *term)
{
    return term->operation <= FIRST_LOAD && !swp_ptx_is_tile(term);
}

/* The one term that another is computed from with numbers alone; 0: there are several, or that is not followed. */
static int only_source(const swp_ptx_run *run, const swp_ptx_term *term)
{
    const swp_ptx_insn *insn = &run->module->insns.items[term->insn];
    const bool computed = term->operation >= 0 && insn->type.bits && insn->source.bits;
    int only = 0;
    for (int i = 0; i < term->count && computed; i++) {
        if (!term->sources[i].term || term->sources[i].term == only)
            continue;
        if (only)
            return 0;
        only = term->sources[i].term;
    }
    return only;
}

void swp_ptx_ask_value(const swp_ptx_step *step, const swp_ptx_value *value, const char *detail)
{
    swp_ptx_run *run = step->run;
    if (!swp_ptx_has_term(step, value) || run->outcome != SWP_PTX_GOES_ON) {
        swp_ptx_request_arguments(run, step->number,
                                  value->state == SWP_PTX_UNKNOWN ? value->depends : SWP_PTX_DATA,
                                  detail);
        return;
    }
    const swp_ptx_term *terms = run->terms->items;
    int term = value->term;
    const bool whole =
        run->terms->whole && terms[term].bits == 1 && !swp_ptx_is_in_loop(run, step->number);
    for (int source = term; source && !whole; source = only_source(run, &terms[term]))
        term = source;
    if (terms[term].operation == ARGUMENT)
        run->needed = terms[term].depends;
    else
        run->needed_term = term;
    run->outcome = SWP_PTX_NEEDS;
    run->finding = (swp_ptx_finding){.at = step->number, .other = -1, .detail = detail, .hint = ""};
}
