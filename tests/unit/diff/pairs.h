/* SPDX-License-Identifier: Apache-2.0 */
/* Two schedules to compare, and alignments as text. */
#ifndef TEST_DIFF_PAIRS_H
#define TEST_DIFF_PAIRS_H

#include "fixture.h"
#include "words.h"

#include "swp/swp.h"

#include <stdio.h>
#include <string.h>

typedef struct pair {
    program a;
    program b;
} pair;

/* The kernel phases in words (words.h), with nothing before and after. */
static inline pair kernels(const char *a, const char *b)
{
    pair p = {program_double_buffer(), program_double_buffer()};
    program_read(&p.a, SWP_KERNEL, a);
    program_read(&p.b, SWP_KERNEL, b);
    return p;
}

static inline void pair_free(pair *p)
{
    program_free(&p->a);
    program_free(&p->b);
}

static inline swp_diff compared(swp_context *ctx, const pair *p)
{
    swp_diff diff;
    assert_ok(ctx, swp_diff_schedules(ctx, &p->a.schedule, &p->b.schedule, NULL, &diff));
    return diff;
}

/* A row is A's entry, a mark, B's entry: "0=0 1~1 2- +2 3<4 3>4". */
static inline void write_rows(const swp_diff_phase *rows, char *text, size_t size)
{
    static const char marks[] = "=~-+<>";
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < rows->count; i++) {
        const swp_diff_row *row = &rows->items[i];
        char a[16] = "";
        char b[16] = "";
        if (row->a >= 0)
            (void)snprintf(a, sizeof a, "%d", row->a);
        if (row->b >= 0)
            (void)snprintf(b, sizeof b, "%d", row->b);
        used += (size_t)snprintf(text + used, size - used, "%s%s%c%s", i ? " " : "", a,
                                 marks[row->difference], b);
        assert_true(used < size);
    }
}

/* A built-in with one setting changed. */
static inline swp_schedule *compiled(swp_context *ctx, const char *builtin, const char *path,
                                     const char *value)
{
    const swp_place nowhere = {NULL, 0, 0};
    swp_description *description = NULL;
    swp_schedule *schedule = NULL;
    assert_ok(ctx, swp_description_from_builtin(ctx, builtin, &description));
    assert_ok(ctx, swp_description_set(ctx, description, path, value, nowhere));
    assert_ok(ctx, swp_description_compile(ctx, description, &schedule));
    return schedule;
}

#endif
