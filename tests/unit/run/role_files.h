/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules with warp roles from tests/roles/, and edits of them. */
#ifndef TEST_RUN_ROLE_FILES_H
#define TEST_RUN_ROLE_FILES_H

#include "fixture.h"

#include "swp/emit.h"
#include "swp/loop.h"
#include "swp/run.h"

#include <stdio.h>
#include <string.h>

static inline swp_schedule *role_file(swp_context *ctx, const char *name)
{
    static char text[1 << 16];
    char path[128];
    (void)snprintf(path, sizeof path, "tests/roles/%s.json", name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text, file);
    assert_int_equal(fclose(file), 0);
    assert_true(length > 0 && length < sizeof text);
    swp_schedule *schedule = NULL;
    assert_ok(ctx, swp_schedule_read_json(ctx, text, length, path, &schedule));
    return schedule;
}

static inline swp_stream *role_named(swp_schedule *schedule, const char *name)
{
    for (size_t i = 0; i < schedule->stream_count; i++)
        if (!strcmp(schedule->streams[i].name, name))
            return &schedule->streams[i];
    fail_msg("there is no role %s", name);
    return NULL;
}

typedef enum edit_kind {
    DROP,          /* the entry */
    SWAP,          /* it and the next one */
    SOONER,        /* one turn */
    LATER,         /* one turn */
    WAIT_FOR_LESS, /* a group more stays in flight */
    OTHER_THREADS  /* one in place of all, or all of one */
} edit_kind;

typedef struct edit {
    const char *role;
    swp_phase phase;
    int entry;
    edit_kind kind;
} edit;

static inline void edit_schedule(swp_schedule *schedule, const edit *e)
{
    const swp_stream *role = role_named(schedule, e->role);
    swp_entry_list *list = (swp_entry_list *)swp_stream_phase(role, e->phase);
    swp_entry *entry = &list->items[e->entry];
    const swp_entry first = *entry;
    assert_true((size_t)e->entry + (e->kind == SWAP) < list->count);
    switch (e->kind) {
    case DROP:
        list->count--;
        memmove(entry, entry + 1, (list->count - (size_t)e->entry) * sizeof *entry);
        break;
    case SWAP:
        entry[0] = entry[1];
        entry[1] = first;
        break;
    case SOONER:
    case LATER:
        entry->op.iteration += e->kind == LATER ? 1 : -1;
        break;
    case WAIT_FOR_LESS:
        entry->op.wait_value++;
        break;
    case OTHER_THREADS:
        entry->op.by = entry->op.by == SWP_ALL_THREADS ? SWP_ONE_THREAD : SWP_ALL_THREADS;
        break;
    }
}

/* Where an adversarial timing finds an edited file wrong. */
typedef struct edited_case {
    edit edit;
    swp_symptom shows; /* SWP_NO_SYMPTOM: every run is right */
    int n;             /* the least that shows it; 0 with no symptom */
} edited_case;

/* Whether one of 64 runs of this size shows the symptom; with SWP_NO_SYMPTOM, whether none shows any. */
static inline bool one_shows(swp_context *ctx, const swp_schedule *schedule, int n,
                             swp_symptom symptom)
{
    for (uint64_t seed = 0; seed < 64; seed++) {
        const swp_run_options options = {.n = n, .timing = SWP_TIMING_ADVERSARIAL, .seed = seed};
        swp_run_outcome outcome;
        assert_ok(ctx, swp_run(ctx, schedule, &options, &outcome));
        if (outcome.symptom != SWP_NO_SYMPTOM && symptom == SWP_NO_SYMPTOM)
            return false;
        if (outcome.symptom == symptom && symptom != SWP_NO_SYMPTOM)
            return true;
    }
    return symptom == SWP_NO_SYMPTOM;
}

static inline int least_n_that_shows(swp_context *ctx, const swp_schedule *schedule,
                                     swp_symptom symptom)
{
    for (int n = 1; n <= 7; n++)
        if (one_shows(ctx, schedule, n, symptom) != (symptom == SWP_NO_SYMPTOM))
            return n;
    return 0;
}

static inline void expect_cases(swp_context *ctx, const char *file, const edited_case *cases,
                                size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const edited_case *c = &cases[i];
        swp_schedule *schedule = role_file(ctx, file);
        edit_schedule(schedule, &c->edit);
        const int n = least_n_that_shows(ctx, schedule, c->shows);
        if (n != c->n)
            fail_msg("%s, edit %zu of role %s, %s entry %d: %s at N = %d, not %d", file, i,
                     c->edit.role, swp_phase_name(c->edit.phase), c->edit.entry,
                     swp_symptom_name(c->shows), n, c->n);
        swp_schedule_free(schedule);
    }
}

#endif
