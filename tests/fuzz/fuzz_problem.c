/* SPDX-License-Identifier: Apache-2.0 */
/* A problem that can be read is written, read back alike, and solved; its answer passes the check. */
#include "swp/problem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Work that a mutated problem may take. */
enum { MOST_WORK = 200 };

static void round_trip(swp_context *ctx, const swp_problem *problem)
{
    char *text = NULL;
    char *again = NULL;
    swp_problem_text in = {.place = {"again", 1, 1}};
    swp_problem copy;
    if (swp_problem_json(ctx, problem, &text, &in.length) != SWP_OK)
        abort();
    in.text = text;
    if (swp_problem_read_json(ctx, &in, &copy) != SWP_OK ||
        swp_problem_json(ctx, &copy, &again, NULL) != SWP_OK || strcmp(text, again) != 0)
        abort();
}

static void solve(swp_context *ctx, const swp_problem *problem)
{
    const swp_limits limits = {.work = MOST_WORK, .seconds = 1};
    swp_answer answer;
    char *text = NULL;
    swp_context_set_limits(ctx, &limits);
    if (swp_solve_problem(ctx, problem, &answer) != SWP_OK ||
        swp_answer_text(ctx, problem, &answer, &text, NULL) != SWP_OK ||
        swp_answer_json(ctx, problem, &answer, &text, NULL) != SWP_OK)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_problem_texts texts = {0};
    if (swp_problem_split(ctx, (const char *)data, size, "input", &texts) != SWP_OK)
        abort();
    for (size_t i = 0; i < texts.count; i++) {
        swp_problem problem;
        const swp_status status = swp_problem_read_json(ctx, &texts.items[i], &problem);
        size_t count = 0;
        (void)swp_context_diags(ctx, &count);
        if ((status == SWP_OK) != (count == 0))
            abort();
        swp_context_clear_diags(ctx);
        if (status == SWP_OK) {
            round_trip(ctx, &problem);
            solve(ctx, &problem);
        }
    }
    swp_context_free(ctx);
    return 0;
}
