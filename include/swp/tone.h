/* SPDX-License-Identifier: Apache-2.0 */
/** @file tone.h  Says how parts of a text look on a terminal: verdicts and diagnostics, by one table. */
#ifndef SWP_TONE_H
#define SWP_TONE_H

#include "swp/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(constant, number, what a terminal is told, what has the tone): SGR sequences of ECMA-48. */
#define SWP_TONES(X)                                                                               \
    X(SWP_TONE_PLAIN, 0, "\033[0m", "what has no tone; it ends any other")                         \
    X(SWP_TONE_GOOD, 1, "\033[1;32m", "a verdict that all is well, and the caret of an excerpt")   \
    X(SWP_TONE_BAD, 2, "\033[1;31m", "a verdict that something is wrong, and the word error")      \
    X(SWP_TONE_DOUBT, 3, "\033[1;33m",                                                             \
      "a verdict that leaves it open, and what is wrong but accepted")                             \
    X(SWP_TONE_WARNING, 4, "\033[1;35m", "the word warning")                                       \
    X(SWP_TONE_HINT, 5, "\033[1;36m", "the word hint")                                             \
    X(SWP_TONE_PLACE, 6, "\033[1m", "the place that a diagnostic begins with")

typedef enum swp_tone { SWP_TONES(SWP_NUMBERED) SWP_TONE_COUNT } swp_tone;

/** Returns what begins a tone; SWP_TONE_PLAIN ends any. */
SWP_API const char *swp_tone_escape(swp_tone tone);

/**
 * Chooses whether texts that are written under this context have verdicts in their tones; at first
 * they have not.
 */
SWP_API void swp_context_set_color(swp_context *ctx, bool color);

#ifdef __cplusplus
}
#endif
#endif
