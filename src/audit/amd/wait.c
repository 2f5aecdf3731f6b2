/* SPDX-License-Identifier: Apache-2.0 */
/* The counts of s_waitcnt, as names or as the number that gfx9 encodes them in. */
#include "audit/amd/amd.h"

#include "target/gfx9.h"

#include <string.h>

/* The counter of a gfx9 field; SWP_AUDIT_COUNTERS: one that is not followed. */
static const int followed[] = {[SWP_GFX9_VM] = SWP_AUDIT_VM,
                               [SWP_GFX9_LGKM] = SWP_AUDIT_LGKM,
                               [SWP_GFX9_EXP] = SWP_AUDIT_COUNTERS};

static void set_count(swp_insn *insn, int field, int count)
{
    if (followed[field] != SWP_AUDIT_COUNTERS)
        insn->waits[followed[field]] = count;
}

static void read_code(swp_insn *insn, int64_t code)
{
    if (code < 0 || code > SWP_GFX9_CODE_MAX) {
        insn->invalid = "s_waitcnt takes a number of 16 bits";
        return;
    }
    for (int f = 0; f < SWP_GFX9_COUNTER_COUNT; f++)
        set_count(insn, f, swp_target_gfx9_count_of((unsigned)code, (swp_gfx9_counter)f));
}

/* What stands in the brackets behind a counter's name; after `_sat` a larger count is the largest. */
static bool read_brackets(swp_slice word, const char *name, bool *saturates, int64_t *count)
{
    if (!swp_code_slice_starts(word, name))
        return false;
    word = swp_code_slice_after(word, strlen(name));
    *saturates = swp_code_slice_number_after(word, "_sat(", count);
    return *saturates || swp_code_slice_number_after(word, "(", count);
}

static bool read_count(swp_insn *insn, swp_slice word)
{
#define LARGEST(counter, name, most, ...) " " name "(" #most ")"
    static const char too_much[] = "the largest counts are" SWP_GFX9_COUNTERS(LARGEST);
#undef LARGEST
    int64_t count = 0;
    bool saturates = false;
    if (!word.length || word.start[word.length - 1] != ')')
        return false;
    word.length--;
    for (int f = 0; f < SWP_GFX9_COUNTER_COUNT; f++) {
        const swp_gfx9_field *field = swp_target_gfx9_field_of((swp_gfx9_counter)f);
        if (!read_brackets(word, field->name, &saturates, &count))
            continue;
        if (count < 0 || (count > field->most && !saturates))
            insn->invalid = too_much;
        set_count(insn, f, count > field->most ? field->most : (int)count);
        return true;
    }
    return false;
}

const char *swp_amd_read_wait(swp_slice rest, swp_insn *insn)
{
    int64_t code = 0;
    if (swp_code_slice_number(rest, &code)) {
        read_code(insn, code);
        return NULL;
    }
    if (!rest.length)
        return "a wait for nothing";
    while (rest.length) {
        size_t length = 0;
        while (length < rest.length && rest.start[length] != ')')
            length++;
        const swp_slice word = {rest.start, length + (length < rest.length)};
        if (!read_count(insn, swp_code_slice_trim(word)))
            return "a count of no known form";
        rest = swp_code_slice_trim(swp_code_slice_after(rest, word.length));
        if (rest.length && (rest.start[0] == '&' || rest.start[0] == ','))
            rest = swp_code_slice_trim(swp_code_slice_after(rest, 1));
    }
    return NULL;
}
