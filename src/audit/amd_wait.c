/* SPDX-License-Identifier: Apache-2.0 */
/* The counts of s_waitcnt, as names or as the number that gfx9 encodes them in. */
#include "audit/amd.h"

#include "base/names.h"

enum {
    VM_LOW = 0xf,
    VM_HIGH_SHIFT = 14,
    VM_HIGH_PLACE = 4,
    LGKM_SHIFT = 8,
    LGKM_MASK = 0xf,
    MOST_CODE = 0xffff,
    NOT_FOLLOWED = SWP_AUDIT_COUNTERS
};

/* X(name, largest value that its field holds, counter); _sat: a larger one counts as that. */
#define COUNTS(X)                                                                                  \
    X("vmcnt", 63, SWP_AUDIT_VM)                                                                   \
    X("lgkmcnt", 15, SWP_AUDIT_LGKM)                                                               \
    X("expcnt", 7, NOT_FOLLOWED)

static const struct {
    const char *name;
    const char *saturating;
    int most;
    int counter;
} counts[] = {
#define ROW(name, most, counter) {name "(", name "_sat(", most, counter},
    COUNTS(ROW)
#undef ROW
};

static void read_code(swp_insn *insn, int64_t code)
{
    if (code < 0 || code > MOST_CODE) {
        insn->invalid = "s_waitcnt takes a number of 16 bits";
        return;
    }
    insn->waits[SWP_AUDIT_VM] =
        (int)(code & VM_LOW) | (int)(code >> VM_HIGH_SHIFT << VM_HIGH_PLACE);
    insn->waits[SWP_AUDIT_LGKM] = (int)(code >> LGKM_SHIFT & LGKM_MASK);
}

static bool read_count(swp_insn *insn, swp_slice word)
{
    int64_t number = 0;
    if (!word.length || word.start[word.length - 1] != ')')
        return false;
    word.length--;
    for (size_t i = 0; i < SWP_COUNT_OF(counts); i++) {
        const bool saturates = swp_slice_number_after(word, counts[i].saturating, &number);
        if (!saturates && !swp_slice_number_after(word, counts[i].name, &number))
            continue;
        if (number < 0 || (number > counts[i].most && !saturates))
            insn->invalid = "vmcnt takes 0 to 63, lgkmcnt 0 to 15, expcnt 0 to 7";
        if (counts[i].counter != NOT_FOLLOWED)
            insn->waits[counts[i].counter] = number > counts[i].most ? counts[i].most : (int)number;
        return true;
    }
    return false;
}

const char *swp_amd_read_wait(swp_slice rest, swp_insn *insn)
{
    int64_t code = 0;
    if (swp_slice_number(rest, &code)) {
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
        if (!read_count(insn, swp_slice_trim(word)))
            return "a count of no known form";
        rest = swp_slice_trim(swp_slice_after(rest, word.length));
        if (rest.length && (rest.start[0] == '&' || rest.start[0] == ','))
            rest = swp_slice_trim(swp_slice_after(rest, 1));
    }
    return NULL;
}
