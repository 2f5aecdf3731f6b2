/* SPDX-License-Identifier: Apache-2.0 */
/* Makes contexts, with their memory, limits and growable lists. */
#include "base/context.h"

#include "base/budget.h"
#include "base/diag.h"
#include "base/print.h"
#include "base/require.h"
#include "swp/version.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_OF(x) #x
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *swp_version(void)
{
    return VERSION_TEXT(SWP_VERSION_MAJOR, SWP_VERSION_MINOR, SWP_VERSION_PATCH);
}

static void *allocate_with_malloc(void *user, size_t bytes)
{
    (void)user;
    return malloc(bytes);
}

static void release_with_free(void *user, void *memory)
{
    (void)user;
    free(memory);
}

swp_context *swp_context_new(const swp_allocator *allocator)
{
    const swp_allocator standard = {allocate_with_malloc, release_with_free, NULL};
    swp_arena *arena = swp_arena_new(allocator ? allocator : &standard);
    if (!arena)
        return NULL;
    /* The first chunk is larger than all of these together, so none of them is NULL. */
    swp_context *ctx = swp_arena_take(arena, sizeof *ctx);
    ctx->diags = swp_arena_take(arena, sizeof *ctx->diags);
    ctx->deadline = swp_arena_take(arena, sizeof *ctx->deadline);
    swp_deadline_begin(ctx->deadline, &ctx->limits);
    ctx->arena = arena;
    ctx->diags->arena = arena;
    /* This leaves room to report that memory ran out. */
    ctx->diags->capacity = 8;
    ctx->diags->items = swp_arena_take(arena, ctx->diags->capacity * sizeof(swp_diag));
    return ctx;
}

swp_context *swp_context_within(const swp_context *ctx)
{
    swp_context *inner = swp_context_new(&ctx->arena->allocator);
    if (!inner)
        return NULL;
    inner->limits = ctx->limits;
    inner->limits.progress = NULL;
    inner->began = ctx->began;
    inner->deadline = ctx->deadline;
    return inner;
}

swp_status swp_scope_open(swp_context *ctx, swp_context *scope)
{
    *scope = *ctx;
    scope->arena = swp_arena_new(&ctx->arena->allocator);
    return scope->arena ? SWP_OK : swp_out_of_memory(ctx);
}

void swp_scope_close(swp_context *scope)
{
    swp_arena_free(scope->arena);
    scope->arena = NULL;
}

void swp_context_free(swp_context *ctx)
{
    if (ctx)
        swp_arena_free(ctx->arena);
}

void swp_context_set_limits(swp_context *ctx, const swp_limits *limits)
{
    SWP_REQUIRE_OR(, ctx);
    ctx->limits = limits ? *limits : (swp_limits){0};
    swp_deadline_begin(ctx->deadline, &ctx->limits);
}

void swp_context_set_op_namer(swp_context *ctx, const swp_op_namer *namer)
{
    SWP_REQUIRE_OR(, ctx);
    ctx->op_namer = namer ? *namer : (swp_op_namer){0};
}

/* Returns how many steps of the deadline an allocation counts for, since memory is filled with zeros. */
static uint64_t steps_of(size_t bytes)
{
    return 16 + bytes / 16;
}

swp_status swp_take(swp_context *ctx, size_t count, size_t item_size, void **out)
{
    const bool too_many = count != 0 && item_size > SIZE_MAX / count;
    *out = NULL;
    if (!too_many)
        SWP_TRY(swp_keep_on(ctx, steps_of(count * item_size)));
    *out = too_many ? NULL : swp_arena_take(ctx->arena, count * item_size);
    if (*out)
        return SWP_OK;
    (void)swp_out_of_memory(ctx);
    return SWP_OUT_OF_MEMORY;
}

void *swp_context_take(swp_context *ctx, size_t bytes)
{
    SWP_REQUIRE_OR(NULL, ctx);
    void *memory = NULL;
    (void)swp_take(ctx, bytes, 1, &memory);
    return memory;
}

swp_status swp_copy_text(swp_context *ctx, const char *text, size_t length, char **out)
{
    SWP_TRY(swp_take(ctx, length + 1, 1, (void **)out));
    memcpy(*out, text, length);
    return SWP_OK;
}

swp_status swp_vformat(swp_context *ctx, char **out, const char *format, va_list arguments)
{
    const size_t length = swp_vprint(NULL, 0, SWP_ESCAPE_TEXT, format, arguments);
    SWP_TRY(swp_take(ctx, length + 1, 1, (void **)out));
    (void)swp_vprint(*out, length + 1, SWP_ESCAPE_TEXT, format, arguments);
    return SWP_OK;
}

swp_status swp_format(swp_context *ctx, char **out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const swp_status status = swp_vformat(ctx, out, format, arguments);
    va_end(arguments);
    return status;
}

swp_status swp_list_reserve(swp_context *ctx, void **items, size_t count, size_t *capacity,
                            size_t item_size)
{
    if (count < *capacity)
        return SWP_OK;
    const size_t larger = *capacity ? *capacity * 2 : 8;
    void *moved = NULL;
    SWP_TRY(swp_take(ctx, larger, item_size, &moved));
    if (count)
        memcpy(moved, *items, count * item_size);
    *items = moved;
    *capacity = larger;
    return SWP_OK;
}
