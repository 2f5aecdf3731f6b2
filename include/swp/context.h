/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file context.h  Contexts: memory, diagnostics and limits of everything that the library does.
 *
 * A context owns what is built through it (ops, edges, entries, programs); freeing it frees all of
 * that. A compiled schedule (compile.h) owns its own memory and may outlive its context.
 * Contexts share nothing: two threads may each use one of their own.
 */
#ifndef SWP_CONTEXT_H
#define SWP_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SWP_API __attribute__((visibility("default")))
#else
#define SWP_API
#endif

/** The enumerator of a row of a table of this library: X(constant, number, name, ...). */
#define SWP_NUMBERED(constant, number, ...) constant = (number),

#ifdef __cplusplus
extern "C" {
#endif

/** The version of the library as text, such as "0.2.0". */
SWP_API const char *swp_version(void);

/** What a call that can fail answers. Diagnostics say what happened. */
typedef enum swp_status {
    SWP_OK = 0,       /**< done */
    SWP_INVALID,      /**< bad input or configuration */
    SWP_INFEASIBLE,   /**< proven: nothing meets the request (a budget, say) */
    SWP_STOPPED,      /**< stopped by time, work limit or interruption, with no answer */
    SWP_OUT_OF_MEMORY /**< the allocator returned NULL */
} swp_status;

/** Where memory comes from. `allocate` returns NULL on failure; `release` takes what it returned. */
typedef struct swp_allocator {
    void *(*allocate)(void *user, size_t bytes);
    void (*release)(void *user, void *memory);
    void *user;
} swp_allocator;

typedef enum swp_severity { SWP_WARNING = 0, SWP_ERROR = 1 } swp_severity;

/** A place in an input: `file` is NULL and `line` 0 where there is none. Lines and columns from 1. */
typedef struct swp_place {
    const char *file;
    int line;
    int column;
} swp_place;

/**
 * One diagnostic. The texts live as long as the context. `hint` and `subject` are never NULL, but may
 * be empty.
 */
typedef struct swp_diag {
    swp_severity severity;
    const char *code; /**< stable, such as "E0312"; docs/diagnostics.md lists them all */
    const char *message;
    const char *hint;
    swp_place place;
    /** What it is about, where the code does not tell: a setting's path, or a key such as "body". */
    const char *subject;
} swp_diag;

/** How a long search stands, for a progress line. */
typedef struct swp_progress {
    double seconds; /**< by the clock, since the limits were set */
    uint64_t work;  /**< search nodes visited */
    int best;       /**< makespan of the best order so far in cycles, -1 if none yet */
    int bound;      /**< proven lower bound in cycles */
} swp_progress;

/**
 * Limits of what is done under a context. Zero-initialised means none.
 *
 * `seconds` and `work` are for each search, which ends with its best so far. They do not cut short
 * the first descent, one node an op, so that a stopped search has an order wherever that descent finds
 * one. `total_seconds` and `interrupted` are for all work, reading input and writing results
 * included. They, too, end a search with its best so far, and allow a fifth of a second to complete
 * what it found; any other call answers SWP_STOPPED, with E0002, and has no result then.
 *
 * With `nominal` both kinds of seconds are counted by the work that is done and not by the clock, so that the same
 * input gets the same answer on every machine, however busy it is (docs/scheduling.md, "Limits", says what such a
 * second is). An interruption still ends all work at once.
 *
 * @code
 * static bool is_cancelled(void *user)
 * {
 *     return atomic_load((const atomic_bool *)user);
 * }
 *
 * const swp_limits limits = {.total_seconds = 2, .interrupted = is_cancelled, .user = &cancelled};
 * swp_context_set_limits(ctx, &limits);
 * swp_status status = swp_verify(ctx, schedule, NULL, 0, &verdict);
 * @endcode
 */
typedef struct swp_limits {
    double seconds; /**< of each search; 0: no limit */
    uint64_t work;  /**< search nodes; 0: no limit; reproducible */
    bool (*interrupted)(
        void *user); /**< polled, thousands of times a second; true stops all work */
    void (*progress)(void *user, const swp_progress *progress); /**< called a few times a second */
    void *user;
    double total_seconds; /**< of all work from swp_context_set_limits() on; 0: no limit */
    bool nominal;         /**< seconds are counted by work, not by the clock: reproducible */
} swp_limits;

/**
 * An `interrupted` for callers whose own functions are slow to call, as those of other languages are.
 * @param user  an int, which any thread and any signal handler may set; NULL: none
 * @return whether it is other than 0
 */
SWP_API bool swp_flag_is_raised(void *user);

typedef struct swp_context swp_context;

/**
 * A new context.
 * @param allocator  copied; NULL means malloc and free.
 * @return NULL if memory ran out.
 */
SWP_API swp_context *swp_context_new(const swp_allocator *allocator);

/** Frees the context and all that it owns. NULL is allowed. */
SWP_API void swp_context_free(swp_context *ctx);

/**
 * Zeroed memory that lives as long as the context; NULL, with a diagnostic, if memory ran out or a limit
 * of the context stops all work.
 */
SWP_API void *swp_context_take(swp_context *ctx, size_t bytes);

/** Sets the limits of all that follows, and begins to count `total_seconds`; NULL removes them. */
SWP_API void swp_context_set_limits(swp_context *ctx, const swp_limits *limits);

/** The diagnostics so far, in the order in which they were found. */
SWP_API const swp_diag *swp_context_diags(const swp_context *ctx, size_t *count);

/**
 * Adds a diagnostic, for schedule definitions of a caller's own. Its texts are copied, but for the
 * code and the file name.
 * @return SWP_OK or SWP_OUT_OF_MEMORY.
 */
SWP_API swp_status swp_context_report(swp_context *ctx, const swp_diag *diag);

/** The diagnostic for memory that ran out, for callers who got no context. */
SWP_API const swp_diag *swp_diag_out_of_memory(void);

/** Forgets the diagnostics so far (their texts stay allocated). */
SWP_API void swp_context_clear_diags(swp_context *ctx);

/** One row of the table of diagnostic codes. */
typedef struct swp_diag_code {
    const char *code;
    const char *meaning;
} swp_diag_code;

/** Every code that the library can report, sorted by code. */
SWP_API const swp_diag_code *swp_diag_codes(size_t *count);

#ifdef __cplusplus
}
#endif
#endif
