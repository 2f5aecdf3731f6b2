/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Abstract interpretation of the one path: values and bytes of each scheduled instruction, pass by
 * pass.
 */
#include "audit/match/walk.h"

typedef struct walker {
    swp_context *ctx;
    const swp_path *path;
    swp_values values;
    swp_registers registers;
    swp_walk *out;
} walker;

static const swp_insn *insn_at(const swp_path *path, int index)
{
    return &path->flow->code->insns.items[index];
}

int swp_match_walk_passes(const swp_walk *walk, swp_phase phase)
{
    return phase == SWP_KERNEL ? walk->passes : 1;
}

const swp_insn *swp_match_item_insn(const swp_walk *walk, const swp_item *item)
{
    return insn_at(walk->path, item->insn);
}

/* The bytes of all waves together. */
static swp_status set_spans(walker *w, const swp_insn *insn, swp_item *item)
{
    swp_footprint footprint;
    SWP_TRY(swp_flow_footprint_of(w->ctx, &w->values, &w->registers, &insn->lds, SWP_ALL_WAVES,
                                  &footprint));
    item->known = footprint.known;
    int count = 0;
    for (int wave = 0; wave < footprint.waves && footprint.known; wave++)
        count += footprint.counts[wave];
    SWP_TRY(SWP_TAKE(w->ctx, (size_t)count, &item->spans));
    for (int wave = 0; wave < footprint.waves && footprint.known; wave++)
        for (int i = 0; i < footprint.counts[wave]; i++)
            item->spans[item->span_count++] = footprint.spans[wave][i];
    item->span_count = swp_flow_spans_merge(item->spans, item->span_count);
    return SWP_OK;
}

static const swp_value *value_of(const walker *w, int number)
{
    return &w->values.items[w->registers.values[number]];
}

/* The producers of the registers of an operand. */
static swp_status set_source(walker *w, const swp_operand *operand, swp_item *item, int source)
{
    const bool registers = operand->kind == SWP_OPERAND_REGISTERS;
    item->in_order[source] = !operand->altered && !insn_at(w->path, item->insn)->modified;
    item->source_counts[source] = registers ? operand->count : 0;
    SWP_TRY(SWP_TAKE(w->ctx, (size_t)item->source_counts[source], &item->sources[source]));
    for (int i = 0; i < item->source_counts[source]; i++) {
        const swp_value *value = value_of(w, operand->first + i);
        const swp_value *last = i ? value_of(w, operand->first + i - 1) : value;
        item->sources[source][i] = value->event >= 0 ? value->event : -1;
        if (i > 0 && value->event >= 0 && value->event == last->event &&
            value->part != SWP_PART_UNKNOWN && value->part != last->part + 1)
            item->in_order[source] = false;
    }
    return SWP_OK;
}

static bool is_all(const walker *w, int number, uint32_t word)
{
    const uint32_t *words = swp_flow_registers_words(&w->values, &w->registers, number);
    for (int t = 0; words && t < w->values.threads; t++)
        if (words[t] != word)
            return false;
    return words != NULL;
}

static bool is_zero(const walker *w, const swp_operand *operand)
{
    if (operand->kind == SWP_OPERAND_NUMBER)
        return operand->number == 0;
    for (int i = 0; operand->kind == SWP_OPERAND_REGISTERS && i < operand->count; i++)
        if (!is_all(w, operand->first + i, 0))
            return false;
    return operand->kind == SWP_OPERAND_REGISTERS;
}

static swp_status add_item(walker *w, int insn, swp_phase phase, int pass)
{
    const swp_insn *at = insn_at(w->path, insn);
    swp_item item = {.insn = insn, .phase = phase, .pass = pass};
    enum { SUM_OPERAND = 3 };
    item.all_lanes = is_all(w, SWP_REG_EXEC, UINT32_MAX) && is_all(w, SWP_REG_EXEC + 1, UINT32_MAX);
    item.from_zero = at->kind == SWP_INSN_MATRIX && at->operand_count > SUM_OPERAND &&
                     is_zero(w, &at->operands[SUM_OPERAND]);
    if (at->lds.parts)
        SWP_TRY(set_spans(w, at, &item));
    for (int i = 0; at->kind == SWP_INSN_MATRIX && i < SWP_SOURCES && i + 1 < at->operand_count;
         i++)
        SWP_TRY(set_source(w, &at->operands[i + 1], &item, i));
    return SWP_PUSH(w->ctx, &w->out->list, item);
}

static swp_status take_phase(walker *w, swp_phase phase, int iterations, int pass)
{
    const swp_path_phase *code = &w->path->phases[phase];
    w->out->first[phase][pass] = (int)w->out->list.count;
    for (int iteration = 0; iteration < iterations; iteration++)
        for (size_t i = 0; i < code->count; i++) {
            const swp_insn *insn = insn_at(w->path, code->items[i]);
            const int event = swp_match_insn_is_scheduled(insn) ? (int)w->out->list.count : -1;
            if (event >= 0)
                SWP_TRY(add_item(w, code->items[i], phase, pass));
            swp_flow_registers_transfer(&w->values, &w->registers, insn, event);
        }
    w->out->end[phase][pass] = (int)w->out->list.count;
    return w->values.status;
}

swp_status swp_match_walk_take(swp_context *ctx, const swp_path *path, int iterations, int passes,
                               swp_walk *out)
{
    walker *w = NULL;
    SWP_TRY(SWP_TAKE(ctx, 1, &w));
    *out = (swp_walk){.path = path, .passes = passes};
    w->ctx = ctx;
    w->path = path;
    w->out = out;
    const swp_function *function = path->flow->function;
    SWP_TRY(swp_flow_values_init(ctx, swp_flow_function_waves(function), &w->values));
    w->values.present = function->workgroup;
    swp_flow_registers_start(&w->values, function, &w->registers);
    SWP_TRY(take_phase(w, SWP_PROLOGUE, 1, 0));
    for (int pass = 0; pass < passes; pass++)
        SWP_TRY(take_phase(w, SWP_KERNEL, iterations, pass));
    return take_phase(w, SWP_EPILOGUE, 1, 0);
}

bool swp_match_item_within(const swp_item *item, const swp_span *spans, int count)
{
    int at = 0;
    for (int i = 0; i < item->span_count; i++) {
        while (at < count && spans[at].end < item->spans[i].end)
            at++;
        if (at == count || item->spans[i].first < spans[at].first)
            return false;
    }
    return item->known && item->span_count > 0;
}

bool swp_match_item_overlaps(const swp_item *item, const swp_span *spans, int count)
{
    for (int i = 0; i < item->span_count; i++)
        for (int j = 0; j < count; j++)
            if (item->spans[i].first < spans[j].end && spans[j].first < item->spans[i].end)
                return true;
    return false;
}
