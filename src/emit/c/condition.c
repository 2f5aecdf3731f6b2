/* SPDX-License-Identifier: Apache-2.0 */
/* Tests around the calls of ops that run in some iterations only (docs/c-header.md, "Conditions"). */
#include "emit/c/condition.h"

#include "swp/loop.h"

#include <string.h>

static const swp_loop_when *when_of(const swp_c_header *header, int tag)
{
    return &header->schedule->dataflow->loop->ops[swp_loop_op_of_tag(tag)].when;
}

/* What is known of an entry's condition where the header is written. */
typedef enum called { NEVER, ALWAYS, TESTED } called;

static called opposite(called c)
{
    return c == TESTED ? TESTED : c == NEVER ? ALWAYS : NEVER;
}

static called called_every(const swp_loop_when *when, const swp_c_base *base, int iteration)
{
    if (base->multiple_of % when->every != 0)
        return TESTED;
    return (iteration - when->offset) % when->every == 0 ? ALWAYS : NEVER;
}

static called called_first(const swp_c_base *base, int iteration)
{
    if (base->is_zero)
        return iteration == 0 ? ALWAYS : NEVER;
    return iteration > 0 ? NEVER : TESTED;
}

static called called_last(const swp_c_base *base, int iteration)
{
    if (base->is_exact)
        return iteration == base->left - 1 ? ALWAYS : NEVER;
    return iteration < base->left - 1 ? NEVER : TESTED;
}

static called called_when(const swp_c_header *header, const swp_entry *entry,
                          const swp_c_base *base)
{
    const swp_loop_when *when = when_of(header, entry->op.tag);
    const int iteration = entry->op.iteration;
    switch (when->kind) {
    case SWP_WHEN_USER:
        return TESTED;
    case SWP_WHEN_FIRST:
        return called_first(base, iteration);
    case SWP_WHEN_LAST:
        return called_last(base, iteration);
    case SWP_WHEN_NOT_FIRST:
        return opposite(called_first(base, iteration));
    case SWP_WHEN_NOT_LAST:
        return opposite(called_last(base, iteration));
    case SWP_WHEN_EVERY:
        return called_every(when, base, iteration);
    case SWP_WHEN_ALWAYS:
        break;
    }
    return ALWAYS;
}

swp_c_base swp_c_base_of(const swp_c_header *header, swp_phase phase)
{
    const swp_loop_shape *loop = &header->schedule->loop;
    return (swp_c_base){.kb = phase == SWP_PROLOGUE ? "0" : "kb",
                        .is_zero = phase == SWP_PROLOGUE,
                        .multiple_of = loop->tiles_per_pass,
                        .left = loop->min_tiles + (phase == SWP_KERNEL ? loop->tiles_per_pass : 0),
                        .is_exact = phase == SWP_EPILOGUE};
}

bool swp_c_loop_never_calls(const swp_c_header *header, const swp_entry *entry,
                            const swp_c_base *base)
{
    return called_when(header, entry, base) == NEVER;
}

/* On the iteration, whose number is in parentheses. */
static void put_test(swp_c_header *header, const swp_loop_when *when)
{
    swp_text *text = &header->text;
    switch (when->kind) {
    case SWP_WHEN_FIRST:
        swp_text_format(text, " == 0");
        break;
    case SWP_WHEN_NOT_FIRST:
        swp_text_format(text, " != 0");
        break;
    case SWP_WHEN_LAST:
        swp_text_format(text, " == (n) - 1");
        break;
    case SWP_WHEN_NOT_LAST:
        swp_text_format(text, " != (n) - 1");
        break;
    default:
        swp_text_format(text, " %% %d == %d", when->every, when->offset);
        break;
    }
}

bool swp_c_put_loop_condition(swp_c_header *header, const swp_entry *entry, const swp_c_base *base)
{
    const swp_op *op = &entry->op;
    const swp_loop_when *when = when_of(header, op->tag);
    if (called_when(header, entry, base) != TESTED)
        return false;
    if (when->kind == SWP_WHEN_USER) {
        swp_text_format(&header->text, "if (%s_WHEN_%s(ctx, SWP_TILE(%s, %d))) { ", header->prefix,
                        header->op_macros[op->tag], base->kb, op->iteration);
        return true;
    }
    swp_text_format(&header->text, "if (((%s) + %d)", base->kb, op->iteration);
    put_test(header, when);
    swp_text_format(&header->text, ") { ");
    return true;
}

bool swp_c_loop_asks_for_last(const swp_c_header *header)
{
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS && swp_c_is_of_loop(header); tag++) {
        const swp_when kind = header->op_macros[tag] ? when_of(header, tag)->kind : SWP_WHEN_ALWAYS;
        if (kind == SWP_WHEN_LAST || kind == SWP_WHEN_NOT_LAST)
            return true;
    }
    return false;
}

void swp_c_put_loop_conditions(swp_c_header *header)
{
    static const char begin[] =
        " *\n * The kernel defines when these are called, by a condition that changes nothing; "
        "where it is false,\n * what the op would update stays as it is:\n *\n";
    int count = 0;
    for (int tag = 0; tag < SWP_SCHEDULE_TAGS; tag++) {
        if (!header->op_macros[tag] || when_of(header, tag)->kind != SWP_WHEN_USER)
            continue;
        if (count++ == 0)
            swp_text_add(&header->text, begin, strlen(begin));
        swp_text_format(&header->text, " *     %s_WHEN_%s(ctx, i)\n", header->prefix,
                        header->op_macros[tag]);
    }
}
