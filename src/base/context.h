/* SPDX-License-Identifier: Apache-2.0 */
/* What a context holds, and the ways in which library code takes memory and reports. */
#ifndef SWP_BASE_CONTEXT_H
#define SWP_BASE_CONTEXT_H

#include "base/arena.h"
#include "swp/types.h"

#include <stdarg.h>

/* The diagnostics of a context and of all scopes within it. */
typedef struct swp_diags {
    swp_arena *arena;
    swp_diag *items;
    size_t count;
    size_t capacity;
} swp_diags;

typedef struct swp_deadline swp_deadline;

struct swp_context {
    swp_arena *arena; /* where results go */
    swp_diags *diags;
    swp_deadline *deadline; /* over all work (base/budget.h); NULL: what must not be stopped */
    swp_limits limits;
    swp_op_namer op_namer;
    bool stopped; /* a limit ended a search of this compile */
    bool color;   /* verdicts in texts have their tones (swp/tone.h) */
    double began; /* by swp_search_clock(); 0: each search counts for itself */
};

/* Whether this ends the work, whatever the input is: memory ran out, or a limit was reached. */
static inline bool swp_ends_work(swp_status status)
{
    return status == SWP_OUT_OF_MEMORY || status == SWP_STOPPED;
}

/* Leaves the function with a status that is not SWP_OK. */
#define SWP_TRY(expression)                                                                        \
    do {                                                                                           \
        const swp_status swp_try_status = (expression);                                            \
        if (swp_try_status != SWP_OK)                                                              \
            return swp_try_status;                                                                 \
    } while (0)

/*
 * A context for what is thrown away again, diagnostics too, with the allocator and the limits of `ctx`. NULL: no memory.
 */
swp_context *swp_context_within(const swp_context *ctx);

/*
 * A copy of the context whose memory is its own, so that what is taken there can go before the context does. What it
 * reports are diagnostics of `ctx`.
 */
swp_status swp_scope_open(swp_context *ctx, swp_context *scope);
/* Frees what was taken there. One that could not be opened is closed all the same. */
void swp_scope_close(swp_context *scope);

/* Zeroed memory for `count` items, if there is some and no limit stops all work: reported once. */
swp_status swp_take(swp_context *ctx, size_t count, size_t item_size, void **out);
#define SWP_TAKE(ctx, count, pointer)                                                              \
    swp_take((ctx), (count), sizeof **(pointer), (void **)(pointer))

/* Reports that memory ran out, once; returns SWP_OUT_OF_MEMORY. */
swp_status swp_out_of_memory(swp_context *ctx);

/* Reports that a limit stopped all work, once; returns SWP_STOPPED. */
swp_status swp_stopped(const swp_context *ctx, bool interrupted);

/* Why the last thing that was asked for is not there: SWP_STOPPED or SWP_OUT_OF_MEMORY. */
swp_status swp_why_none(const swp_context *ctx);

/* The status of a caller's code, which sees only that there is no memory, and not why. */
swp_status swp_status_behind(const swp_context *ctx, swp_status status);

/* A status of a context within this one: reports here what has to be reported. */
swp_status swp_pass_on(swp_context *ctx, swp_status status);

/* A copy of a text in the context's memory. */
swp_status swp_copy_text(swp_context *ctx, const char *text, size_t length, char **out);
/* A formatted text in the context's memory; what %s takes is escaped for a reader (base/print.h). */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
swp_status
swp_format(swp_context *ctx, char **out, const char *format, ...);
#if defined(__GNUC__)
__attribute__((format(printf, 3, 0)))
#endif
swp_status
swp_vformat(swp_context *ctx, char **out, const char *format, va_list arguments);

/* Room for one more item in a growable list. */
swp_status swp_list_reserve(swp_context *ctx, void **items, size_t count, size_t *capacity,
                            size_t item_size);
#define SWP_PUSH(ctx, list, item)                                                                  \
    (swp_list_reserve((ctx), (void **)&(list)->items, (list)->count, &(list)->capacity,            \
                      sizeof *(list)->items) == SWP_OK                                             \
         ? ((list)->items[(list)->count++] = (item), (swp_status)SWP_OK)                           \
         : swp_why_none(ctx))

#endif
