/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbolic execution along one path, with numbers where arguments are: waves that go the same way are followed together, and
 * apart from where they part. Of accesses to LDS it keeps between which barriers they were issued and retired: two of
 * different waves are ordered if the one is retired before a barrier that the other is issued behind. A branch that nobody
 * knows goes one way in the whole run, and ends it where another branch is computed from the same.
 */
#include "audit/flow/trial.h"

#include "audit/flow/eval.h"
#include "audit/flow/trial_ops.h"
#include "audit/flow/value_ops.h"
#include "base/budget.h"

#include <limits.h>
#include <string.h>

enum { MOST_FLIGHTS = 192, MOST_TRACED = 4096, STEPS_OF_AN_INSN = 64, NOT_RETIRED = INT_MAX };

/* An access that its counters have not retired. */
typedef struct flight {
    int insn;
    int event;
    uint32_t unused; /* registers that it loads and nobody used */
    bool waiting[SWP_AUDIT_COUNTERS];
    int after[SWP_AUDIT_COUNTERS];
    int traced; /* -1: nobody watches it */
} flight;

/* An access to LDS of some waves. */
typedef struct traced {
    int insn;
    int event;
    swp_wave_set waves;
    int position; /* instructions before it */
    int issued;   /* barriers before it */
    int retired;  /* barriers before it is */
    swp_footprint footprint;
} traced;

/* Waves that have gone the same way. */
typedef struct group {
    swp_wave_set waves;
    int at;       /* instruction */
    int position; /* instructions before that */
    int barriers;
    swp_registers registers;
    flight flights[MOST_FLIGHTS];
    int flight_count;
} group;

typedef struct trial {
    swp_context *ctx;
    const swp_trial_watch *watch;
    const swp_trial_input *input;
    const swp_flow *flow;
    swp_values values;
    traced *traces;
    int trace_count;
    int trace_end; /* of the group that runs: others need room, too */
    group *groups[SWP_MOST_WAVES];
    int group_count;
    bool *passed; /* by block: whether its branch was run */
    bool *guessed;
    int spent;
} trial;

static const swp_insn *insn_at(const trial *t, int index)
{
    return &t->flow->code->insns.items[index];
}

/* --- registers --- */

static bool is_wanted(const trial *t, const swp_insn *insn)
{
    if (insn->writes_exec ||
        (insn->kind == SWP_INSN_SCALAR && !insn->keeps_scc && t->watch->demanded[SWP_REG_SCC]))
        return true;
    for (int d = 0; d < insn->destinations; d++)
        for (int r = insn->operands[d].first; r < insn->operands[d].first + insn->operands[d].count;
             r++)
            if (t->watch->demanded[r])
                return true;
    return swp_code_spilled_by(insn).count > 0;
}

/* Where the arguments are, or what the dispatcher left besides. */
static bool is_of_arguments(const trial *t, const swp_registers *registers, const swp_operand *base)
{
    if (base->kind != SWP_OPERAND_REGISTERS || base->count != 2)
        return false;
    const int event = t->values.items[registers->values[base->first]].event;
    return event == SWP_EVENT_CONSTANTS || event == SWP_EVENT_PRESUMED;
}

/* A word of memory that arguments point to, where all have one or where each is more than the one before. */
static int memory_word(trial *t, const swp_registers *before, const swp_insn *insn, int part)
{
    const swp_operand *base = &insn->operands[insn->destinations];
    const swp_operand *offset = base + 1;
    const uint32_t words = 16;
    if (!t->input->rising)
        return swp_flow_values_uniform(&t->values, t->input->loaded);
    if (insn->kind != SWP_INSN_SCALAR_LOAD || base->kind != SWP_OPERAND_REGISTERS ||
        base->count != 2 || offset->kind != SWP_OPERAND_NUMBER)
        return SWP_VALUE_NONE;
    const uint32_t *low = swp_flow_registers_words(&t->values, before, base->first);
    if (!low || !swp_flow_values_is_uniform(&t->values, low))
        return SWP_VALUE_NONE;
    const uint32_t at = (low[0] + offset->number) / (uint32_t)sizeof at + (uint32_t)part;
    return swp_flow_values_uniform(&t->values, t->input->loaded * (at % words));
}

/* Words of arguments by their offset, and of other memory. */
static void load(trial *t, group *g, const swp_registers *before, const swp_insn *insn)
{
    const swp_operand *base = &insn->operands[insn->destinations];
    const swp_operand *offset = base + 1;
    const swp_operand *to = &insn->operands[0];
    const bool scalar = insn->kind == SWP_INSN_SCALAR_LOAD;
    const bool of_arguments = scalar && is_of_arguments(t, before, base);
    const bool whole = scalar || swp_code_slice_starts(insn->text, "global_load_dword") ||
                       swp_code_slice_starts(insn->text, "buffer_load_dword");
    if (insn->destinations != 1 || !whole || insn->spilled.count || insn->keeps_part)
        return;
    if (scalar && (insn->operand_count < insn->destinations + 2))
        return;
    if (of_arguments && offset->kind != SWP_OPERAND_NUMBER)
        return;
    for (int i = 0; i < to->count; i++) {
        const uint32_t size = sizeof(uint32_t);
        const uint32_t word = of_arguments ? offset->number / size + (uint32_t)i : 0;
        g->registers.values[to->first + i] =
            of_arguments
                ? swp_flow_values_uniform(&t->values, t->input->arguments[word % SWP_TRIAL_WORDS])
                : memory_word(t, before, insn, i);
    }
}

static void forget(swp_registers *registers, const swp_insn *insn)
{
    for (int d = 0; d < insn->destinations; d++)
        for (int r = insn->operands[d].first; r < insn->operands[d].first + insn->operands[d].count;
             r++)
            registers->values[r] = SWP_VALUE_NONE;
    if (insn->kind == SWP_INSN_SCALAR && !insn->keeps_scc)
        registers->values[SWP_REG_SCC] = SWP_VALUE_NONE;
}

static void compute(trial *t, group *g, const swp_insn *insn)
{
    if (!is_wanted(t, insn)) {
        forget(&g->registers, insn);
        return;
    }
    const swp_registers before = g->registers;
    swp_flow_registers_transfer(&t->values, &g->registers, insn, -1);
    swp_flow_trial_compute_more(&t->values, &g->registers, &before, insn);
    if (insn->kind == SWP_INSN_SCALAR_LOAD || insn->kind == SWP_INSN_LOAD)
        load(t, g, &before, insn);
}

/* --- accesses in flight --- */

static void retire(trial *t, group *g, int counter, int outstanding)
{
    int kept = 0;
    for (int i = 0; i < g->flight_count; i++) {
        flight *f = &g->flights[i];
        const bool in_order = swp_code_insn_traits_of(insn_at(t, f->insn)->kind)->in_order;
        if (f->waiting[counter] &&
            (outstanding == 0 || (in_order && f->after[counter] >= outstanding)))
            f->waiting[counter] = false;
        if (f->waiting[SWP_AUDIT_VM] || f->waiting[SWP_AUDIT_LGKM])
            g->flights[kept++] = *f;
        else if (f->traced >= 0)
            t->traces[f->traced].retired = g->barriers;
    }
    g->flight_count = kept;
}

static bool issue(trial *t, group *g, int index, int traced_as)
{
    const swp_insn *insn = insn_at(t, index);
    const swp_insn_traits *traits = swp_code_insn_traits_of(insn->kind);
    flight new = {.insn = index,
                  .event = swp_flow_fixpoint_event(t->watch->fixpoint, index, 0),
                  .unused = UINT32_MAX,
                  .traced = traced_as};
    for (int c = 0; c < SWP_AUDIT_COUNTERS; c++) {
        new.waiting[c] = traits->counted[c];
        if (!traits->counted[c])
            continue;
        for (int i = 0; i < g->flight_count && traits->in_order; i++)
            g->flights[i].after[c] += g->flights[i].waiting[c];
        retire(t, g, c, t->flow->code->counter_max[c]);
    }
    if (g->flight_count == MOST_FLIGHTS || new.event < 0)
        return false;
    g->flights[g->flight_count++] = new;
    return true;
}

/* --- what a run shows --- */

/* The first conflict of an instruction, or of one behind it: they are in the order of the code. */
static size_t first_conflict(const trial *t, int at)
{
    const swp_conflict_list *conflicts = t->watch->conflicts;
    size_t first = 0;
    size_t end = conflicts->count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (conflicts->items[middle].at < at)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static void show_register(trial *t, int at)
{
    swp_conflict_list *conflicts = t->watch->conflicts;
    for (size_t i = first_conflict(t, at); i < conflicts->count && conflicts->items[i].at == at;
         i++)
        if (conflicts->items[i].operand)
            conflicts->items[i].shown = true;
}

static void use_registers(trial *t, group *g, int index)
{
    const swp_insn *insn = insn_at(t, index);
    const swp_event_table *events = &t->watch->fixpoint->events;
    const swp_operand implied = swp_flow_implied_operand(insn);
    for (int i = 0; i < g->flight_count; i++) {
        flight *f = &g->flights[i];
        const bool loads = insn_at(t, f->insn)->kind == SWP_INSN_LOAD;
        if (f->unused & swp_flow_event_overlap(events, f->event, &implied))
            show_register(t, index);
        for (int o = 0; o < insn->operand_count; o++) {
            const uint32_t used =
                f->unused & swp_flow_event_overlap(events, f->event, &insn->operands[o]);
            if (used && !(o < insn->destinations && insn->kind == SWP_INSN_LOAD && loads))
                show_register(t, index);
            f->unused &= ~used;
        }
    }
}

static bool is_ds(const swp_insn *insn)
{
    return insn->kind == SWP_INSN_LDS_READ || insn->kind == SWP_INSN_LDS_WRITE ||
           insn->kind == SWP_INSN_LDS_ATOMIC;
}

static bool overlap(const traced *x, int first, const traced *y, int second)
{
    return swp_flow_footprint_overlap(&x->footprint, first, &y->footprint, second) == SWP_OVERLAP;
}

/* An access that nobody has waited for, in one wave. */
static void show_within_wave(trial *t, const group *g, const traced *later)
{
    swp_conflict_list *conflicts = t->watch->conflicts;
    const swp_insn *insn = insn_at(t, later->insn);
    for (int i = 0; i < g->flight_count; i++) {
        const flight *f = &g->flights[i];
        if (f->traced < 0 || (is_ds(insn_at(t, f->insn)) && is_ds(insn)))
            continue;
        for (size_t c = first_conflict(t, later->insn);
             c < conflicts->count && conflicts->items[c].at == later->insn; c++) {
            swp_conflict *conflict = &conflicts->items[c];
            if (conflict->operand || conflict->other != f->insn)
                continue;
            for (int w = 0; w < t->values.threads / SWP_WAVE; w++)
                conflict->shown |=
                    (g->waves >> w & 1U) && overlap(&t->traces[f->traced], w, later, w);
        }
    }
}

/* How often a wave has run the first one's instruction before the second. */
static int occurrences(const trial *t, const traced *of, int wave, const traced *before)
{
    int count = 0;
    for (int i = 0; i < t->trace_count; i++)
        count += t->traces[i].insn == of->insn && (t->traces[i].waves >> wave & 1U) &&
                 t->traces[i].position < before->position;
    return count;
}

/* Whether the program has them in this order, be they in one pass of a loop or not. */
static bool is_earlier(const trial *t, const traced *x, int first, const traced *y, int second)
{
    if (x->waves == y->waves)
        return x->position < y->position;
    return occurrences(t, x, first, x) < occurrences(t, x, second, y);
}

/* Whether the first may come after the second, which it should not, or at the same time. */
static bool goes_wrong(const trial *t, const traced *x, int first, const traced *y, int second)
{
    if (y->issued > x->retired)
        return false;
    return x->issued <= y->retired || is_earlier(t, x, first, y, second);
}

static bool shows_between_waves(const trial *t, const traced *x, const traced *y)
{
    const int waves = t->values.threads / SWP_WAVE;
    for (int first = 0; first < waves; first++)
        for (int second = 0; second < waves; second++)
            if (first != second && (x->waves >> first & y->waves >> second & 1U) &&
                overlap(x, first, y, second) && goes_wrong(t, x, first, y, second))
                return true;
    return false;
}

static void show_between_waves(const trial *t)
{
    swp_conflict_list *conflicts = t->watch->conflicts;
    for (size_t c = 0; c < conflicts->count; c++) {
        swp_conflict *conflict = &conflicts->items[c];
        for (int x = 0; x < t->trace_count && !conflict->operand && !conflict->shown; x++)
            for (int y = 0; y < t->trace_count && t->traces[x].insn == conflict->other; y++)
                if (t->traces[y].insn == conflict->at &&
                    shows_between_waves(t, &t->traces[x], &t->traces[y])) {
                    conflict->shown = true;
                    break;
                }
    }
}

/* --- a run --- */

/* 1: this wave branches; 0: it does not; -1: nobody knows. */
static int way_of_wave(const trial *t, const swp_registers *registers, const swp_insn *insn,
                       int wave)
{
    const int first = swp_flow_branch_register(insn);
    const int op = insn->value;
    const bool on_zero =
        op == SWP_VALUE_IF_SCC_0 || op == SWP_VALUE_IF_VCC_0 || op == SWP_VALUE_IF_EXEC_0;
    uint32_t known = 0;
    uint32_t unknown = 0;
    for (int half = 0; half < (first == SWP_REG_SCC ? 1 : 2); half++) {
        const swp_bits bits =
            swp_flow_values_bits(&t->values, registers->values[first + half], wave * SWP_WAVE);
        known |= bits.word;
        unknown |= bits.unknown;
    }
    if (known)
        return !on_zero;
    return unknown ? -1 : on_zero;
}

static bool is_related_to_guess(const trial *t, int block)
{
    for (int b = 0; b < t->flow->block_count; b++)
        if (b != block && t->passed[b] && (t->guessed[b] || t->guessed[block]) &&
            (t->watch->origins[b] & t->watch->origins[block]))
            return true;
    return false;
}

/* One way for each branch in the whole run. */
static int guess(const trial *t, int block)
{
    const uint64_t mixed = (t->input->guesses + (uint64_t)block) * 0x9e3779b97f4a7c15ULL;
    return (int)(mixed >> 40U & 1U);
}

/* Which of the group's waves branch; false: the run is none that is sure from here. */
static bool find_ways(trial *t, const group *g, int block, swp_wave_set *taken)
{
    const swp_insn *insn = insn_at(t, g->at);
    *taken = 0;
    for (int w = 0; w < t->values.threads / SWP_WAVE; w++) {
        if (!(g->waves >> w & 1U))
            continue;
        int way = way_of_wave(t, &g->registers, insn, w);
        if (way < 0) {
            t->guessed[block] = true;
            way = guess(t, block);
        }
        *taken |= way ? 1U << w : 0;
    }
    t->passed[block] = true;
    return !is_related_to_guess(t, block);
}

static swp_status part(trial *t, const group *g, swp_wave_set waves, int at)
{
    group *other = NULL;
    SWP_TRY(SWP_TAKE(t->ctx, 1, &other));
    *other = *g;
    other->waves = waves;
    other->at = at;
    /* What they have in flight is theirs alone from here. */
    for (int i = 0; i < other->flight_count; i++) {
        flight *f = &other->flights[i];
        if (f->traced < 0 || t->trace_count == MOST_TRACED) {
            f->traced = -1;
            continue;
        }
        t->traces[t->trace_count] = t->traces[f->traced];
        t->traces[t->trace_count].waves = waves;
        t->traces[f->traced].waves &= ~waves;
        f->traced = t->trace_count++;
    }
    t->groups[t->group_count++] = other;
    return SWP_OK;
}

static swp_status trace(trial *t, group *g, int index, int *as)
{
    const swp_insn *insn = insn_at(t, index);
    *as = -1;
    if (!swp_code_accesses_lds(insn) || t->trace_count >= t->trace_end ||
        !t->watch->accessed[index - t->flow->function->first])
        return SWP_OK;
    traced *new = &t->traces[t->trace_count];
    *new = (traced){.insn = index,
                    .event = swp_flow_fixpoint_event(t->watch->fixpoint, index, 0),
                    .waves = g->waves,
                    .position = g->position,
                    .issued = g->barriers,
                    .retired = NOT_RETIRED};
    SWP_TRY(swp_flow_footprint_of(t->ctx, &t->values, &g->registers, &insn->lds, &new->footprint));
    show_within_wave(t, g, new);
    *as = t->trace_count++;
    return SWP_OK;
}

/* Goes on to the next instruction; false: here it ends. */
static swp_status step(trial *t, group *g, bool *goes_on)
{
    const int block = swp_flow_block_of(t->flow, g->at);
    const swp_block *b = &t->flow->blocks[block];
    const int index = g->at;
    const swp_insn *insn = insn_at(t, index);
    swp_wave_set taken = 0;
    *goes_on = true;
    use_registers(t, g, index);
    if (insn->kind == SWP_INSN_BARRIER) {
        g->barriers++;
    } else if (insn->kind == SWP_INSN_WAIT) {
        for (int c = 0; c < SWP_AUDIT_COUNTERS; c++)
            if (insn->waits[c] != SWP_NO_WAIT && insn->waits[c] < t->flow->code->counter_max[c])
                retire(t, g, c, insn->waits[c]);
    } else if (swp_code_insn_traits_of(insn->kind)->counted[SWP_AUDIT_VM] ||
               swp_code_insn_traits_of(insn->kind)->counted[SWP_AUDIT_LGKM]) {
        int as = -1;
        SWP_TRY(trace(t, g, index, &as));
        *goes_on = issue(t, g, index, as);
    }
    if (index + 1 < b->end) {
        compute(t, g, insn);
        g->at++;
        return t->values.status;
    }
    if (b->successor_count == 2 && insn->kind == SWP_INSN_BRANCH) {
        *goes_on = find_ways(t, g, block, &taken);
        if (*goes_on && taken && taken != g->waves) {
            SWP_TRY(part(t, g, taken, t->flow->blocks[b->successors[1]].first));
            g->waves &= ~taken;
            taken = 0;
        }
    } else {
        compute(t, g, insn);
    }
    *goes_on &= b->successor_count > 0;
    if (b->successor_count)
        g->at = t->flow->blocks[b->successors[b->successor_count == 2 && taken ? 1 : 0]].first;
    return t->values.status;
}

static swp_status run_group(trial *t, group *g)
{
    bool goes_on = true;
    int steps = 0;
    t->trace_end = t->trace_count + (MOST_TRACED - t->trace_count) / 2;
    while (goes_on && steps++ < t->watch->steps) {
        SWP_TRY(swp_keep_on(t->ctx, STEPS_OF_AN_INSN));
        SWP_TRY(step(t, g, &goes_on));
        t->spent++;
        g->position++;
    }
    /* A wave that ends waits for what it has in flight, and one that is cut off might have. */
    retire(t, g, SWP_AUDIT_VM, 0);
    retire(t, g, SWP_AUDIT_LGKM, 0);
    return SWP_OK;
}

static swp_status begin(trial *t)
{
    const swp_function *function = t->flow->function;
    group *g = NULL;
    SWP_TRY(SWP_TAKE(t->ctx, (size_t)t->flow->block_count, &t->passed));
    SWP_TRY(SWP_TAKE(t->ctx, (size_t)t->flow->block_count, &t->guessed));
    SWP_TRY(SWP_TAKE(t->ctx, MOST_TRACED, &t->traces));
    SWP_TRY(swp_flow_values_init(t->ctx, swp_flow_function_waves(function), &t->values));
    t->values.present = function->workgroup;
    SWP_TRY(SWP_TAKE(t->ctx, 1, &g));
    g->at = t->flow->blocks[0].first;
    g->waves = (swp_wave_set)((1ULL << t->values.threads / SWP_WAVE) - 1);
    swp_flow_registers_start(&t->values, function, &g->registers);
    for (int r = 0; r < SWP_START_COUNT; r++)
        if (function->start[r] == SWP_START_UNIFORM)
            g->registers.values[r] = swp_flow_values_uniform(&t->values, t->input->dispatched[r]);
    t->groups[t->group_count++] = g;
    return SWP_OK;
}

swp_status swp_flow_trial_run(swp_context *ctx, const swp_trial_watch *watch,
                              const swp_trial_input *input, int *spent)
{
    trial t = {.ctx = ctx, .watch = watch, .input = input, .flow = watch->fixpoint->flow};
    SWP_TRY(begin(&t));
    for (int i = 0; i < t.group_count; i++)
        SWP_TRY(run_group(&t, t.groups[i]));
    show_between_waves(&t);
    *spent += t.spent;
    return SWP_OK;
}

/* --- what is computed at all --- */

static bool demand(bool *demanded, const swp_operand *operand)
{
    bool changed = false;
    for (int r = operand->first;
         operand->kind == SWP_OPERAND_REGISTERS && r < operand->first + operand->count; r++) {
        changed |= !demanded[r];
        demanded[r] = true;
    }
    return changed;
}

static bool demand_one(bool *demanded, int first, int count)
{
    const swp_operand operand = {
        .kind = SWP_OPERAND_REGISTERS, .first = (int16_t)first, .count = (int16_t)count};
    return demand(demanded, &operand);
}

static bool is_demanded(const bool *demanded, const swp_insn *insn)
{
    const swp_operand spilled = swp_code_spilled_by(insn);
    bool is = insn->writes_exec ||
              (insn->kind == SWP_INSN_SCALAR && !insn->keeps_scc && demanded[SWP_REG_SCC]);
    for (int d = 0; d < insn->destinations && !is; d++)
        for (int r = 0; r < insn->operands[d].count && !is; r++)
            is = demanded[insn->operands[d].first + r];
    for (int r = 0; r < spilled.count && !is; r++)
        is = demanded[spilled.first + r];
    return is;
}

static bool demand_sources(bool *demanded, const swp_insn *insn)
{
    bool changed = demand(demanded, &insn->implied) || demand(demanded, &insn->spilled);
    for (int i = insn->reads_destination ? 0 : insn->destinations; i < insn->operand_count; i++)
        changed |= demand(demanded, &insn->operands[i]);
    return changed | (insn->reads_scc && demand_one(demanded, SWP_REG_SCC, 1));
}

void swp_flow_trial_find_demanded(const swp_flow *flow, bool *out)
{
    bool changed = true;
    demand_one(out, SWP_REG_EXEC, 2);
    while (changed) {
        changed = false;
        for (int i = flow->function->end - 1; i >= flow->function->first; i--) {
            const swp_insn *insn = &flow->code->insns.items[i];
            const int asked = insn->kind == SWP_INSN_BRANCH ? swp_flow_branch_register(insn) : -1;
            if (asked >= 0)
                changed |= demand_one(out, asked, asked == SWP_REG_SCC ? 1 : 2);
            if (insn->lds.parts && insn->lds.address >= 0)
                changed |= demand_one(out, insn->lds.address, 1);
            if (is_demanded(out, insn))
                changed |= demand_sources(out, insn);
        }
    }
}
