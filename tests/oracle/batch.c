/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers one question a line, so that thousands need no process each. Fields stand between tabs:
 *
 *     compile KERNEL [PATH=VALUE]...
 *     solve CALL PENALTY MAX_VGPR MAX_GLOBALS BLOCKS_PER_HALF OPS EDGES
 *
 * An op is role,resource,latency,vgpr_def,vgpr_kill and an edge producer,consumer,kind,distance,
 * between spaces. CALL is one of those of oracle.py. Each answer is a line of JSON:
 * the schedule, an order with its figures, or {"error": ..., "code": ...}.
 */
#define _POSIX_C_SOURCE 200809L
#include "swp/swp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FIELDS = 256 };

typedef struct question {
    char *fields[MOST_FIELDS];
    size_t count;
} question;

static const swp_place nowhere = {NULL, 0, 0};

static void fail(const char *what, const char *detail)
{
    (void)fprintf(stderr, "batch: %s: %s\n", what, detail);
    exit(2);
}

static question split(char *line)
{
    question asked = {.count = 0};
    line[strcspn(line, "\n")] = '\0';
    for (char *field = line; field;) {
        char *end = strchr(field, '\t');
        if (end)
            *end++ = '\0';
        if (asked.count == MOST_FIELDS)
            fail("too many fields", line);
        asked.fields[asked.count++] = field;
        field = end;
    }
    return asked;
}

static void print_error(const swp_context *ctx, swp_status status)
{
    size_t count = 0;
    const swp_diag *diags = swp_context_diags(ctx, &count);
    while (count > 0 && diags[count - 1].severity != SWP_ERROR)
        count--;
    if (count == 0)
        fail("a failure without a diagnostic", "");
    (void)printf("{\"status\": %d, \"code\": \"%s\", \"error\": \"", (int)status,
                 diags[count - 1].code);
    for (const char *c = diags[count - 1].message; *c; c++)
        if (*c == '"' || *c == '\\')
            (void)printf("\\%c", *c);
        else
            (void)putchar(*c < ' ' && *c > 0 ? ' ' : *c);
    (void)puts("\"}");
}

/* Strings hold no line break as it is, so one can only stand between values. */
static void print_on_one_line(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] != '\n')
            (void)putchar(text[i]);
    (void)putchar('\n');
}

static swp_status compile(swp_context *ctx, const question *asked, swp_schedule **out)
{
    swp_description *description = NULL;
    if (asked->count < 2)
        fail("no kernel", "");
    swp_status status = swp_description_from_builtin(ctx, asked->fields[1], &description);
    for (size_t i = 2; status == SWP_OK && i < asked->count; i++) {
        char *sign = strchr(asked->fields[i], '=');
        if (!sign)
            fail("no sign", asked->fields[i]);
        *sign = '\0';
        status = swp_description_set(ctx, description, asked->fields[i], sign + 1, nowhere);
    }
    return status == SWP_OK ? swp_description_compile(ctx, description, out) : status;
}

static void answer_compile(swp_context *ctx, const question *asked)
{
    swp_schedule *schedule = NULL;
    char *text = NULL;
    size_t length = 0;
    swp_status status = compile(ctx, asked, &schedule);
    if (status == SWP_OK)
        status = swp_emit_format_find("json")->emit(ctx, schedule, &text, &length);
    if (status == SWP_OK)
        print_on_one_line(text, length);
    else
        print_error(ctx, status);
    swp_schedule_free(schedule);
}

/* Reads `count` numbers between commas; moves `*text` behind them and the space that follows. */
static void read_numbers(char **text, int *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *end = NULL;
        numbers[i] = (int)strtol(*text, &end, 10);
        if (end == *text || *end != (i + 1 < count ? ',' : *end))
            fail("no number", *text);
        *text = *end ? end + 1 : end;
    }
}

static void read_ops(swp_context *ctx, char *text, swp_op_list *ops)
{
    while (*text) {
        int n[5];
        read_numbers(&text, n, 5);
        swp_op op = swp_op_none();
        op.tag = (int)(ops->count % SWP_KERNEL_TAGS);
        op.role = (swp_role)n[0];
        op.resource = (swp_resource)n[1];
        op.latency = n[2];
        op.vgpr_def = n[3];
        op.vgpr_kill = n[4];
        if (swp_op_list_push(ctx, ops, op) != SWP_OK)
            fail("out of memory", "");
    }
}

static void read_edges(swp_context *ctx, char *text, swp_edge_list *edges)
{
    while (*text) {
        int n[4];
        read_numbers(&text, n, 4);
        const swp_edge edge = {n[0], n[1], (swp_dep_kind)n[2], n[3]};
        if (swp_edge_list_push(ctx, edges, edge) != SWP_OK)
            fail("out of memory", "");
    }
}

typedef struct problem {
    const char *call;
    int penalty;
    int max_vgpr;
    int max_globals;
    int blocks_per_half;
    swp_loop_body body;
} problem;

static swp_status read_problem(swp_context *ctx, const question *asked, problem *out)
{
    if (asked->count != 8)
        fail("solve takes seven fields", asked->fields[0]);
    *out = (problem){.call = asked->fields[1],
                     .penalty = atoi(asked->fields[2]),
                     .max_vgpr = atoi(asked->fields[3]),
                     .max_globals = atoi(asked->fields[4]),
                     .blocks_per_half = atoi(asked->fields[5])};
    swp_op_list ops = {0};
    swp_edge_list edges = {0};
    read_ops(ctx, asked->fields[6], &ops);
    read_edges(ctx, asked->fields[7], &edges);
    const swp_status status = swp_loop_body_init(ctx, ops.items, ops.count, &edges, &out->body);
    return status == SWP_OK ? swp_loop_body_validate(ctx, &out->body) : status;
}

static swp_status order(swp_context *ctx, const problem *given, swp_solution *out)
{
    if (!strcmp(given->call, "greedy"))
        return swp_greedy_schedule(ctx, &given->body, 2, given->blocks_per_half, &out->order);
    if (!strcmp(given->call, "simple_greedy"))
        return swp_simple_greedy_schedule(ctx, &given->body, &out->order);
    if (!strcmp(given->call, "optimal"))
        return swp_optimal_schedule(ctx, &given->body, given->max_vgpr, out);
    if (!strcmp(given->call, "optimal_with_halves"))
        return swp_optimal_schedule_with_halves(ctx, &given->body, given->max_globals,
                                                given->penalty, given->max_vgpr,
                                                given->blocks_per_half, out);
    fail("unknown call", given->call);
    return SWP_INVALID;
}

static void print_order(const swp_solution *found, swp_evaluation value, int64_t bound)
{
    (void)printf("{\"order\": [");
    for (size_t i = 0; i < found->order.count; i++)
        (void)printf("%s%d", i ? ", " : "", found->order.items[i]);
    (void)printf("], \"makespan\": %lld, \"vgpr_peak\": %lld, \"lower_bound\": %lld, "
                 "\"optimal\": %s}\n",
                 (long long)value.makespan, (long long)value.vgpr_peak, (long long)bound,
                 found->outcome == SWP_OPTIMAL ? "true" : "false");
}

static void answer_solve(swp_context *ctx, const question *asked)
{
    problem given;
    swp_solution found = {.outcome = SWP_OPTIMAL};
    swp_evaluation value = {0};
    int64_t bound = 0;
    swp_status status = read_problem(ctx, asked, &given);
    if (status == SWP_OK)
        status = order(ctx, &given, &found);
    const int penalty = strcmp(given.call, "optimal") ? given.penalty : 0;
    if (status == SWP_OK)
        status = swp_evaluate_schedule(ctx, &given.body, &found.order, penalty, &value);
    if (status == SWP_OK)
        status = swp_makespan_lower_bound(ctx, &given.body, penalty, &bound);
    if (status == SWP_OK)
        print_order(&found, value, bound);
    else
        print_error(ctx, status);
}

static void answer(char *line)
{
    swp_context *ctx = swp_context_new(NULL);
    if (!ctx)
        fail("out of memory", "");
    const question asked = split(line);
    if (!strcmp(asked.fields[0], "compile"))
        answer_compile(ctx, &asked);
    else if (!strcmp(asked.fields[0], "solve"))
        answer_solve(ctx, &asked);
    else
        fail("unknown question", asked.fields[0]);
    (void)fflush(stdout);
    swp_context_free(ctx);
}

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0)
        answer(line);
    free(line);
    return 0;
}
