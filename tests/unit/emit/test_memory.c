/* SPDX-License-Identifier: Apache-2.0 */
/* The n-th allocation fails, for all n: ours through the allocator, jansson's through its hooks. */
#include "small_json.h"

#include "swp/diff.h"
#include "swp/explain.h"
#include "swp/reference.h"

#include <jansson.h>

typedef struct memory {
    long remaining; /* allocations until one fails; negative: none does */
    bool for_good;  /* all later ones fail too */
    long live;
} memory;

static void *allocate(void *user, size_t bytes)
{
    memory *m = user;
    if (m->remaining == 0) {
        m->remaining = m->for_good ? 0 : -1;
        return NULL;
    }
    m->remaining -= m->remaining > 0;
    void *block = malloc(bytes);
    m->live += block != NULL;
    return block;
}

static void release(void *user, void *block)
{
    ((memory *)user)->live -= block != NULL;
    free(block);
}

static memory of_jansson = {.remaining = -1};

static void *allocate_for_jansson(size_t bytes)
{
    return allocate(&of_jansson, bytes);
}

static void release_for_jansson(void *block)
{
    release(&of_jansson, block);
}

static int hook_jansson(void **state)
{
    (void)state;
    json_set_alloc_funcs(allocate_for_jansson, release_for_jansson);
    return 0;
}

static int unhook_jansson(void **state)
{
    (void)state;
    json_set_alloc_funcs(malloc, free);
    return 0;
}

/* What is tried under failure, and what it makes. */
typedef swp_status action(swp_context *ctx, const swp_schedule *schedule, const char *json,
                          char **text);

static swp_status write_as(swp_context *ctx, const swp_schedule *schedule, const char *format,
                           char **text)
{
    size_t length = 0;
    return swp_emit_format_find(format)->emit(ctx, schedule, text, &length);
}

static swp_status write_text(swp_context *ctx, const swp_schedule *schedule, const char *json,
                             char **text)
{
    (void)json;
    return write_as(ctx, schedule, "text", text);
}

static swp_status write_dot(swp_context *ctx, const swp_schedule *schedule, const char *json,
                            char **text)
{
    (void)json;
    return write_as(ctx, schedule, "dot", text);
}

static swp_status write_c(swp_context *ctx, const swp_schedule *schedule, const char *json,
                          char **text)
{
    (void)json;
    return write_as(ctx, schedule, "c", text);
}

static swp_status write_json(swp_context *ctx, const swp_schedule *schedule, const char *json,
                             char **text)
{
    (void)json;
    return write_as(ctx, schedule, "json", text);
}

static swp_status dump_blocks(swp_context *ctx, const swp_schedule *schedule, const char *json,
                              char **text)
{
    (void)json;
    return swp_dump_program_blocks(ctx, &schedule->program, NULL, text);
}

static swp_status dump_kernel(swp_context *ctx, const swp_schedule *schedule, const char *json,
                              char **text)
{
    (void)json;
    return swp_dump_phase(ctx, "kernel", &schedule->kernel, NULL, text);
}

/* With itself less the last entry of its kernel phase. */
static swp_status compare(swp_context *ctx, const swp_schedule *schedule, bool as_json, char **text)
{
    swp_diff diff;
    size_t length = 0;
    swp_schedule shorter = *schedule;
    shorter.kernel.count--;
    const swp_status status = swp_diff_schedules(ctx, schedule, &shorter, NULL, &diff);
    if (status != SWP_OK)
        return status;
    return (as_json ? swp_diff_json : swp_diff_text)(ctx, &diff, text, &length);
}

static swp_status compare_as_text(swp_context *ctx, const swp_schedule *schedule, const char *json,
                                  char **text)
{
    (void)json;
    return compare(ctx, schedule, false, text);
}

static swp_status compare_as_json(swp_context *ctx, const swp_schedule *schedule, const char *json,
                                  char **text)
{
    (void)json;
    return compare(ctx, schedule, true, text);
}

static swp_status explain(swp_context *ctx, const swp_schedule *schedule, bool as_json, char **text)
{
    swp_explanation_list explanations;
    swp_order_reason_list order;
    size_t length = 0;
    swp_status status = swp_explain(ctx, schedule, &explanations);
    if (status == SWP_OK)
        status = swp_explain_order(ctx, schedule, &order);
    if (status != SWP_OK)
        return status;
    return (as_json ? swp_explanation_json : swp_explanation_text)(ctx, schedule, &explanations,
                                                                   &order, text, &length);
}

static swp_status explain_as_text(swp_context *ctx, const swp_schedule *schedule, const char *json,
                                  char **text)
{
    (void)json;
    return explain(ctx, schedule, false, text);
}

static swp_status explain_as_json(swp_context *ctx, const swp_schedule *schedule, const char *json,
                                  char **text)
{
    (void)json;
    return explain(ctx, schedule, true, text);
}

static swp_status read_json(swp_context *ctx, const swp_schedule *schedule, const char *json,
                            char **text)
{
    (void)schedule;
    swp_schedule *read = NULL;
    swp_status status = swp_schedule_read_json(ctx, json, strlen(json), "s.json", &read);
    assert_true((status == SWP_OK) == (read != NULL));
    if (read)
        status = write_as(ctx, read, "json", text);
    swp_schedule_free(read);
    return status;
}

typedef struct trial {
    action *act;
    const swp_schedule *schedule;
    const char *json;
    swp_status expected;
    const char *text; /* what it makes with memory enough */
} trial;

static void says_out_of_memory(const swp_context *ctx)
{
    size_t count = 0;
    const swp_diag *diags = swp_context_diags(ctx, &count);
    assert_true(count > 0);
    assert_string_equal(diags[count - 1].code, "E0001");
}

/* Runs the trial with the n-th allocation of `m` failing; false once it had enough. */
static bool fails_at(const trial *t, long n, memory *m, const swp_allocator *allocator)
{
    swp_context *ctx = swp_context_new(allocator);
    assert_non_null(ctx);
    m->remaining = n;
    char *text = NULL;
    const swp_status status = t->act(ctx, t->schedule, t->json, &text);
    const bool failed = m->remaining < 0 || (m->for_good && m->remaining == 0);
    m->remaining = -1;
    if (status == SWP_OUT_OF_MEMORY) {
        says_out_of_memory(ctx);
    } else {
        assert_int_equal(status, t->expected);
        if (status == SWP_OK)
            assert_string_equal(text, t->text);
    }
    swp_context_free(ctx);
    return failed;
}

/* Tries an action on a schedule with each failure in turn. */
static void survives(action *act, const swp_schedule *schedule, const char *json,
                     swp_status expected)
{
    swp_context *ctx = swp_context_new(NULL);
    char *text = NULL;
    assert_int_equal(act(ctx, schedule, json, &text), expected);
    const trial t = {act, schedule, json, expected, text};
    for (int for_good = 0; for_good < 2; for_good++) {
        memory m = {.remaining = -1, .for_good = for_good};
        const swp_allocator allocator = {allocate, release, &m};
        for (long n = 0; fails_at(&t, n, &m, &allocator); n++)
            assert_int_equal(m.live, 0);
        of_jansson = (memory){.remaining = -1, .for_good = for_good};
        for (long n = 0; fails_at(&t, n, &of_jansson, NULL); n++)
            assert_int_equal(of_jansson.live, 0);
    }
    swp_context_free(ctx);
}

static void writing_survives_every_failure(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    survives(write_text, schedule, NULL, SWP_OK);
    survives(write_dot, schedule, NULL, SWP_OK);
    survives(write_c, schedule, NULL, SWP_OK);
    survives(dump_blocks, schedule, NULL, SWP_OK);
    survives(dump_kernel, schedule, NULL, SWP_OK);
    swp_schedule_free(schedule);
}

static void json_survives_every_failure(void **state)
{
    char *small = edited_json("", "");
    swp_schedule *schedule = NULL;
    assert_int_equal(swp_schedule_read_json(*state, small, strlen(small), "s.json", &schedule),
                     SWP_OK);
    survives(read_json, NULL, small, SWP_OK);
    survives(write_json, schedule, NULL, SWP_OK);
    swp_schedule_free(schedule);
    free(small);
}

static void reports_survive_every_failure(void **state)
{
    char *small = edited_json("", "");
    swp_schedule *schedule = NULL;
    assert_int_equal(swp_schedule_read_json(*state, small, strlen(small), "s.json", &schedule),
                     SWP_OK);
    survives(compare_as_text, schedule, NULL, SWP_OK);
    survives(compare_as_json, schedule, NULL, SWP_OK);
    survives(explain_as_text, schedule, NULL, SWP_OK);
    survives(explain_as_json, schedule, NULL, SWP_OK);
    swp_schedule_free(schedule);
    free(small);
}

static void refusing_survives_every_failure(void **state)
{
    (void)state;
    survives(read_json, NULL,
             "{\"swp\": 1, \"kernel\": [{\"tag\": 300, \"nam\": 1}], \"zebra\": 1}", SWP_INVALID);
    survives(read_json, NULL, "{\"swp\": 1, \"kernel\": [}", SWP_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_CONTEXT(writing_survives_every_failure),
        TEST_IN_CONTEXT(json_survives_every_failure),
        TEST_IN_CONTEXT(reports_survive_every_failure),
        cmocka_unit_test(refusing_survives_every_failure),
    };
    return cmocka_run_group_tests(tests, hook_jansson, unhook_jansson);
}
