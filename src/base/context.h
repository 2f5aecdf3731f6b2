/* SPDX-License-Identifier: Apache-2.0 */
/* Defines what a context holds, and how library code takes memory and reports. */
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

/* A search that was made before, and the one that is made now, as texts (swp/loop_compile.h). */
typedef struct swp_kept_search {
    const char *before; /* NULL: none */
    size_t before_length;
    char *now; /* NULL: none */
    size_t now_length;
} swp_kept_search;

struct swp_context {
    swp_arena *arena; /* where results go */
    swp_diags *diags;
    swp_deadline *deadline; /* limits all work (base/budget.h); NULL: must not be stopped */
    swp_kept_search *kept;  /* NULL: no search is kept */
    swp_limits limits;
    swp_op_namer op_namer;
    bool stopped; /* a limit ended a search of this compile */
    bool color;   /* verdicts in texts have their tones (swp/tone.h) */
    double began; /* by swp_search_clock(); 0: each search counts for itself */
};

/* Returns whether this status ends the work, whatever the input is: memory ran out, or a limit was reached. */
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
 * Makes a context for what will be thrown away, diagnostics too, with the allocator and the limits
 * of `ctx`. Returns NULL if there is no memory.
 */
swp_context *swp_context_within(const swp_context *ctx);

/*
 * Copies the context with memory of its own, so that what is taken there can be freed before the
 * context is. Its diagnostics go to `ctx`.
 */
swp_status swp_scope_open(swp_context *ctx, swp_context *scope);
/* Frees what was taken there. A scope that could not be opened has to be closed, too. */
void swp_scope_close(swp_context *scope);

/*
 * Gives zeroed memory for `count` items, unless memory runs out or a limit stops all work, which is
 * reported once.
 */
swp_status swp_take(swp_context *ctx, size_t count, size_t item_size, void **out);
#define SWP_TAKE(ctx, count, pointer)                                                              \
    swp_take((ctx), (count), sizeof **(pointer), (void **)(pointer))

/* Reports that memory ran out, once; returns SWP_OUT_OF_MEMORY. */
swp_status swp_out_of_memory(swp_context *ctx);

/* Reports that a limit stopped all work, once; returns SWP_STOPPED. */
swp_status swp_stopped(const swp_context *ctx, bool interrupted);

/* Says why the last request for memory failed: SWP_STOPPED or SWP_OUT_OF_MEMORY. */
swp_status swp_why_none(const swp_context *ctx);

/* Corrects the status of code which sees only that there is no memory, and not why. */
swp_status swp_status_behind(const swp_context *ctx, swp_status status);

/* Takes over the status of a context within this one, and reports here what has to be reported. */
swp_status swp_pass_on(swp_context *ctx, swp_status status);

/* Copies a text into the context's memory. */
swp_status swp_copy_text(swp_context *ctx, const char *text, size_t length, char **out);
/* Formats a text in the context's memory; what %s takes is escaped for a reader (base/print.h). */
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

/* Makes room for one more item in a growable list. */
swp_status swp_list_reserve(swp_context *ctx, void **items, size_t count, size_t *capacity,
                            size_t item_size);
#define SWP_PUSH(ctx, list, item)                                                                  \
    (swp_list_reserve((ctx), (void **)&(list)->items, (list)->count, &(list)->capacity,            \
                      sizeof *(list)->items) == SWP_OK                                             \
         ? ((list)->items[(list)->count++] = (item), (swp_status)SWP_OK)                           \
         : swp_why_none(ctx))

#endif
