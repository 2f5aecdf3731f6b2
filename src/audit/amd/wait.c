/* SPDX-License-Identifier: Apache-2.0 */
/* The counts of s_waitcnt, as names or as the number that gfx9 encodes them in. */
#include "audit/amd/amd.h"

#include "base/text.h"
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
            return "a count of no known form; of assembly by hand give what llvm-mc makes of it";
        rest = swp_code_slice_trim(swp_code_slice_after(rest, word.length));
        if (rest.length && (rest.start[0] == '&' || rest.start[0] == ','))
            rest = swp_code_slice_trim(swp_code_slice_after(rest, 1));
    }
    return NULL;
}

/* The count of a field that is not followed, as the instruction has it. */
static int other_count(const swp_insn *insn, int field)
{
    const int most = swp_target_gfx9_field_of((swp_gfx9_counter)field)->most;
    const char *name = swp_target_gfx9_field_of((swp_gfx9_counter)field)->name;
    swp_slice rest = insn->text;
    int64_t number = 0;
    (void)swp_code_slice_take_word(&rest);
    if (swp_code_slice_number(swp_code_slice_trim(rest), &number))
        return swp_target_gfx9_count_of((unsigned)number, (swp_gfx9_counter)field);
    for (; rest.length; rest = swp_code_slice_after(rest, 1)) {
        const char *end = memchr(rest.start, ')', rest.length);
        const swp_slice word = {rest.start, end ? (size_t)(end - rest.start) : 0};
        bool saturates = false;
        if (read_brackets(word, name, &saturates, &number))
            return number > most ? most : (int)number;
    }
    return most;
}

swp_status swp_amd_write_wait(swp_context *ctx, const swp_insn *insn,
                              const int waits[SWP_AUDIT_COUNTERS], const char **out)
{
    swp_text text = {.ctx = ctx};
    char *written = NULL;
    bool any = false;
    for (int f = 0; f < SWP_GFX9_COUNTER_COUNT; f++) {
        const swp_gfx9_field *field = swp_target_gfx9_field_of((swp_gfx9_counter)f);
        const bool follows = followed[f] != SWP_AUDIT_COUNTERS;
        const int count = follows ? waits[followed[f]] : other_count(insn, f);
        if (count == SWP_NO_WAIT || count >= field->most)
            continue;
        swp_text_format(&text, "%s%s(%d)", any ? " " : "s_waitcnt ", field->name, count);
        any = true;
    }
    *out = "";
    if (!any)
        return SWP_OK;
    SWP_TRY(swp_text_end(&text, &written, NULL));
    *out = written;
    return SWP_OK;
}
