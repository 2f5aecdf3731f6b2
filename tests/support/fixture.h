/* SPDX-License-Identifier: Apache-2.0 */
/* A context for each test, and assertions on statuses and diagnostics. */
#ifndef TEST_SUPPORT_FIXTURE_H
#define TEST_SUPPORT_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "swp/context.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Setup and teardown of a test: *state is a swp_context. */
int open_context(void **state);
int close_context(void **state);

/* A row of a cmocka group whose test takes a context. */
#define CONTEXT_TEST(function)                                                                     \
    cmocka_unit_test_setup_teardown(function, open_context, close_context)

/* Fails, printing the diagnostics, unless the status is the expected one. */
void expect_status(const swp_context *ctx, swp_status status, swp_status expected, const char *file,
                   int line);
#define assert_ok(ctx, status) expect_status((ctx), (status), SWP_OK, __FILE__, __LINE__)
#define assert_status(ctx, status, expected)                                                       \
    expect_status((ctx), (status), (expected), __FILE__, __LINE__)

/* Whether there is a diagnostic of this code whose message holds `text`; NULL takes any message. */
bool has_diag(const swp_context *ctx, const char *code, const char *text);

void expect_diag(const swp_context *ctx, const char *code, const char *text, const char *file,
                 int line);
#define assert_diag(ctx, code, text) expect_diag((ctx), (code), (text), __FILE__, __LINE__)

/* Whether any diagnostic is an error. */
bool has_error(const swp_context *ctx);

void assert_no_diag(const swp_context *ctx, const char *code);

#endif
