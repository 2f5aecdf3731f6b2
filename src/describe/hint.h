/* SPDX-License-Identifier: Apache-2.0 */
/* Hints about words that are none of a list, or missing. */
#ifndef SWP_DESCRIBE_HINT_H
#define SWP_DESCRIBE_HINT_H

#include "base/context.h"

/* "did you mean `x`?" where one of the names is near the word, else the names. */
swp_status swp_describe_hint_of_names(swp_context *ctx, const char *word, const char *const *names,
                                      size_t count, char **hint);

/* The names. */
swp_status swp_describe_hint_of_choice(swp_context *ctx, const char *const *names, size_t count,
                                       char **hint);

swp_status swp_describe_hint_of_builtins(swp_context *ctx, const char *word, char **hint);
swp_status swp_describe_hint_of_targets(swp_context *ctx, const char *word, bool or_file,
                                        char **hint);

/* For a path that is none: the nearest one, else the fields of its section, else the sections. */
swp_status swp_describe_hint_of_fields(swp_context *ctx, const char *path, char **hint);

#endif
