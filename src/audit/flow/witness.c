/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs with arguments of many sizes, until each conflict that needs a witness has one: test generation for a given
 * place of a program, by numbers that its comparisons suggest and by chance. P. Godefroid, N. Klarlund and K. Sen, "DART:
 * Directed Automated Random Testing".
 */
#include "audit/flow/witness.h"

#include "audit/flow/related_branches.h"
#include "audit/flow/symbolic_run.h"
#include "base/random.h"

#include <string.h>

enum { MOST_RUNS = 240, STEPS_OF_A_RUN = 20000, STEPS_OF_ALL = 1000000, MOST_NUMBERS = 192 };

typedef struct numbers {
    uint32_t items[MOST_NUMBERS];
    int count;
} numbers;

static void add_number(numbers *list, uint32_t number)
{
    for (int i = 0; i < list->count; i++)
        if (list->items[i] == number)
            return;
    if (list->count < MOST_NUMBERS)
        list->items[list->count++] = number;
}

/* Counts, sizes and multiples of tiles; and the constants of comparisons, with what is next to them. */
static void find_numbers(const swp_flow *flow, numbers *out)
{
    static const uint32_t usual[] = {256, 1,   64,  0,    3,    2,    128, 5,
                                     512, 4,   16,  8,    32,   6,    7,   65,
                                     100, 200, 320, 1024, 2048, 4096, 10,  UINT32_MAX};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        add_number(out, usual[i]);
    for (int i = flow->function->first; i < flow->function->end; i++) {
        const swp_insn *insn = &flow->code->insns.items[i];
        const bool compares = swp_code_slice_starts(insn->text, "s_cmp");
        for (int o = 0; o < insn->operand_count && compares; o++)
            for (uint32_t d = 0; d < 3 && insn->operands[o].kind == SWP_OPERAND_NUMBER; d++)
                add_number(out, insn->operands[o].number - 1 + d);
    }
}

static uint32_t any_of(const numbers *list, uint64_t drawn)
{
    return list->items[(drawn >> 8U) % (uint64_t)list->count];
}

/*
 * First all arguments the same, as they are and with every second word 0: of 64 bits the low ones tell of how many there
 * are. Then some of them others.
 */
static void draw(const numbers *list, int run, swp_symbolic_input *out)
{
    uint64_t state = SWP_RANDOM_SEED + (uint64_t)run;
    const bool same = run < 2 * list->count;
    const uint32_t all = same ? list->items[run / 2] : any_of(list, swp_random(&state));
    const uint64_t others = same ? 0 : 1 + swp_random(&state) % 3;
    for (int i = 0; i < SWP_SYMBOLIC_WORDS; i++) {
        const uint64_t drawn = swp_random(&state);
        out->arguments[i] = drawn % 4 < others ? any_of(list, drawn) : all;
        if (i % 2 && run % 2)
            out->arguments[i] = 0;
    }
    for (int i = 0; i < SWP_START_COUNT; i++) {
        const uint64_t drawn = swp_random(&state);
        out->dispatched[i] = drawn % 4 < others ? any_of(list, drawn) : run % 4 < 2 ? all : 0;
    }
    out->loaded = same ? all : any_of(list, swp_random(&state));
    out->rising = same ? run / 2 % 2 != 0 : swp_random(&state) % 2 != 0;
    out->guesses = swp_random(&state);
}

static bool needs_witness(const swp_conflict *conflict)
{
    return conflict->certain && !conflict->shown && conflict->related[0] >= 0;
}

static bool any_needs_witness(const swp_conflict_list *conflicts)
{
    for (size_t i = 0; i < conflicts->count; i++)
        if (needs_witness(&conflicts->items[i]))
            return true;
    return false;
}

static swp_status find_related(swp_fixpoint *fixpoint, const swp_origin_set *origins,
                               swp_conflict_list *conflicts)
{
    int block = -1;
    int related[2] = {-1, -1};
    for (size_t i = 0; i < conflicts->count; i++) {
        swp_conflict *c = &conflicts->items[i];
        c->related[0] = -1;
        if (!c->certain)
            continue;
        /* What leads to one instruction of a block leads to all. */
        if (swp_flow_block_of(fixpoint->flow, c->at) != block)
            SWP_TRY(
                swp_flow_find_related_branches(fixpoint, origins, c->at, &related[0], &related[1]));
        block = swp_flow_block_of(fixpoint->flow, c->at);
        c->related[0] = related[0];
        c->related[1] = related[1];
    }
    return SWP_OK;
}

/* A run keeps some thousand accesses: of those only that some conflict without a witness is about. */
static void mark_accessed(swp_symbolic_watch *watch, int first, int count)
{
    memset(watch->accessed, 0, (size_t)count * sizeof *watch->accessed);
    for (size_t i = 0; i < watch->conflicts->count; i++)
        if (needs_witness(&watch->conflicts->items[i])) {
            watch->accessed[watch->conflicts->items[i].at - first] = true;
            watch->accessed[watch->conflicts->items[i].other - first] = true;
        }
}

static swp_status run_all(swp_context *ctx, swp_symbolic_watch *watch)
{
    const swp_flow *flow = watch->fixpoint->flow;
    const int insns = flow->function->end - flow->function->first;
    numbers list = {.count = 0};
    int spent = 0;
    find_numbers(flow, &list);
    watch->steps = STEPS_OF_A_RUN + 3 * insns;
    for (int run = 0;
         run < MOST_RUNS && spent < STEPS_OF_ALL + 8 * insns && any_needs_witness(watch->conflicts);
         run++) {
        swp_symbolic_input input;
        swp_context *work = swp_context_within(ctx);
        if (!work)
            return swp_pass_on(ctx, swp_why_none(ctx));
        work->diags = ctx->diags;
        mark_accessed(watch, flow->function->first, insns);
        draw(&list, run, &input);
        const swp_status status = swp_flow_symbolic_execute(work, watch, &input, &spent);
        swp_context_free(work);
        SWP_TRY(status);
    }
    return SWP_OK;
}

swp_status swp_flow_find_witnesses(swp_context *ctx, swp_fixpoint *fixpoint,
                                   swp_conflict_list *conflicts)
{
    const swp_function *function = fixpoint->flow->function;
    swp_symbolic_watch watch = {.fixpoint = fixpoint, .conflicts = conflicts};
    swp_origin_set *origins = NULL;
    swp_register_set demanded = {{0}};
    bool any = false;
    for (size_t i = 0; i < conflicts->count; i++)
        any |= conflicts->items[i].certain;
    if (!any)
        return SWP_OK;
    SWP_TRY(swp_flow_find_origins(ctx, fixpoint->flow, &origins));
    watch.origins = origins;
    SWP_TRY(find_related(fixpoint, origins, conflicts));
    if (!any_needs_witness(conflicts))
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, (size_t)(function->end - function->first), &watch.accessed));
    swp_flow_demand_anywhere(fixpoint->flow, &demanded);
    watch.demanded = &demanded;
    return run_all(ctx, &watch);
}
