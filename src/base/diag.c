/* SPDX-License-Identifier: Apache-2.0 */
/* Holds the table of codes, and reports into the list of diagnostics of a context. */
#include "base/diag.h"

#include "base/require.h"

#include <stdarg.h>
#include <stdio.h>

static const swp_diag_code codes[] = {
#define ROW(code, meaning) {#code, meaning},
    SWP_DIAG_CODES(ROW)
#undef ROW
};

const swp_diag_code *swp_diag_codes(size_t *count)
{
    SWP_REQUIRE_OR(NULL, count);
    *count = SWP_CODE_COUNT;
    return codes;
}

const swp_diag *swp_context_diags(const swp_context *ctx, size_t *count)
{
    SWP_REQUIRE_OR(NULL, ctx && count);
    *count = ctx->diags->count;
    return ctx->diags->items;
}

void swp_context_clear_diags(swp_context *ctx)
{
    SWP_REQUIRE_OR(, ctx);
    ctx->diags->count = 0;
}

size_t swp_error_count(const swp_context *ctx)
{
    size_t errors = 0;
    for (size_t i = 0; i < ctx->diags->count; i++)
        errors += ctx->diags->items[i].severity == SWP_ERROR;
    return errors;
}

/* Diagnostics outlive the scope that made them, so they live in the context's own arena. */
static swp_context diag_scope(const swp_context *ctx)
{
    swp_context scope = *ctx;
    scope.arena = ctx->diags->arena;
    scope.deadline = NULL; /* a stop must still be reported */
    return scope;
}

static const swp_diag memory_ran_out = {.severity = SWP_ERROR,
                                        .code = "E0001",
                                        .message = "out of memory",
                                        .hint = "make the input smaller, or allow more memory",
                                        .subject = ""};

const swp_diag *swp_diag_out_of_memory(void)
{
    return &memory_ran_out;
}

/* The list cannot grow now. If it is full, this diagnostic replaces the last one, since it matters more. */
static void report_once(swp_diags *diags, const swp_diag *diag)
{
    for (size_t i = 0; i < diags->count; i++)
        if (diags->items[i].message == diag->message)
            return;
    if (diags->count == diags->capacity)
        diags->count--;
    diags->items[diags->count++] = *diag;
}

swp_status swp_out_of_memory(swp_context *ctx)
{
    report_once(ctx->diags, &memory_ran_out);
    return SWP_OUT_OF_MEMORY;
}

swp_status swp_stopped(const swp_context *ctx, bool interrupted)
{
    static const swp_diag interruption = {.severity = SWP_ERROR,
                                          .code = "E0002",
                                          .message = "interrupted before there was an answer",
                                          .hint = "",
                                          .subject = ""};
    static const swp_diag time_is_up = {.severity = SWP_ERROR,
                                        .code = "E0002",
                                        .message = "the time limit came before the answer",
                                        .hint = "allow more time, or make the input smaller",
                                        .subject = ""};
    report_once(ctx->diags, interrupted ? &interruption : &time_is_up);
    return SWP_STOPPED;
}

swp_status swp_context_report(swp_context *ctx, const swp_diag *diag)
{
    SWP_REQUIRE(ctx, ctx && diag);
    swp_context scope = diag_scope(ctx);
    swp_diag copy = *diag;
    char *text = NULL;
    SWP_TRY(swp_format(&scope, &text, "%s", diag->message));
    copy.message = text;
    SWP_TRY(swp_format(&scope, &text, "%s", diag->hint ? diag->hint : ""));
    copy.hint = text;
    SWP_TRY(swp_format(&scope, &text, "%s", diag->subject ? diag->subject : ""));
    copy.subject = text;
    return SWP_PUSH(&scope, ctx->diags, copy);
}

swp_status swp_diag_extend(swp_context *ctx, size_t number, const char *format, ...)
{
    swp_context scope = diag_scope(ctx);
    swp_diag *diag = &ctx->diags->items[number];
    char *rest = NULL;
    char *message = NULL;
    va_list arguments;
    va_start(arguments, format);
    const swp_status status = swp_vformat(&scope, &rest, format, arguments);
    va_end(arguments);
    SWP_TRY(status);
    SWP_TRY(swp_format(&scope, &message, "%s%s", diag->message, rest));
    diag->message = message;
    return SWP_OK;
}

swp_status swp_diag_tell_subject(swp_context *ctx, size_t first, const char *format, ...)
{
    swp_context scope = diag_scope(ctx);
    char *subject = NULL;
    if (first == ctx->diags->count)
        return SWP_OK;
    va_list arguments;
    va_start(arguments, format);
    const swp_status status = swp_vformat(&scope, &subject, format, arguments);
    va_end(arguments);
    SWP_TRY(status);
    for (size_t i = first; i < ctx->diags->count; i++)
        if (!*ctx->diags->items[i].subject)
            ctx->diags->items[i].subject = subject;
    return SWP_OK;
}

const char *swp_text_of_others(int count, const char *what, char text[SWP_OTHERS_SIZE])
{
    text[0] = '\0';
    if (count > 0)
        (void)snprintf(text, SWP_OTHERS_SIZE, "; likewise %d other %s%s", count, what,
                       count == 1 ? "" : "s");
    return text;
}

swp_status swp_refuse_null(swp_context *ctx, const char *function)
{
    if (!ctx)
        return SWP_INVALID;
    return swp_error(ctx, SWP_E0003, SWP_NOWHERE,
                     "only what its description says may be NULL, and a list of no items",
                     "%s() was called with NULL", function);
}

/* Completes `diag` with its message, and reports it. */
static swp_status report(swp_context *ctx, swp_diag diag, const char *format, va_list arguments)
{
    char *message = NULL;
    SWP_TRY(swp_vformat(ctx, &message, format, arguments));
    diag.message = message;
    return swp_context_report(ctx, &diag);
}

swp_status swp_error(swp_context *ctx, swp_code code, swp_place place, const char *hint,
                     const char *format, ...)
{
    const swp_diag diag = {
        .severity = SWP_ERROR, .code = codes[code].code, .hint = hint, .place = place};
    va_list arguments;
    va_start(arguments, format);
    const swp_status status = report(ctx, diag, format, arguments);
    va_end(arguments);
    return status == SWP_OK ? SWP_INVALID : status;
}

swp_status swp_error_about(swp_context *ctx, swp_code code, const char *subject, const char *hint,
                           const char *format, ...)
{
    const swp_diag diag = {
        .severity = SWP_ERROR, .code = codes[code].code, .hint = hint, .subject = subject};
    va_list arguments;
    va_start(arguments, format);
    const swp_status status = report(ctx, diag, format, arguments);
    va_end(arguments);
    return status == SWP_OK ? SWP_INVALID : status;
}

swp_status swp_warn(swp_context *ctx, swp_code code, swp_place place, const char *hint,
                    const char *format, ...)
{
    const swp_diag diag = {
        .severity = SWP_WARNING, .code = codes[code].code, .hint = hint, .place = place};
    va_list arguments;
    va_start(arguments, format);
    const swp_status status = report(ctx, diag, format, arguments);
    va_end(arguments);
    return status;
}

swp_status swp_warn_about(swp_context *ctx, swp_code code, const char *subject, const char *hint,
                          const char *format, ...)
{
    const swp_diag diag = {
        .severity = SWP_WARNING, .code = codes[code].code, .hint = hint, .subject = subject};
    va_list arguments;
    va_start(arguments, format);
    const swp_status status = report(ctx, diag, format, arguments);
    va_end(arguments);
    return status;
}

bool swp_diags_end_with(const swp_diags *diags, swp_code code)
{
    return diags->count > 0 && diags->items[diags->count - 1].code == codes[code].code;
}
