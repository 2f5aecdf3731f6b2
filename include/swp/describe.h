/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file describe.h  Descriptions: a built-in or a body of the user's own, with settings.
 *
 * A description is what a YAML file says, or the name of a built-in; `--set` and `--target` change
 * it afterwards. The manual's chapter "Descriptions" gives the format.
 */
#ifndef SWP_DESCRIBE_H
#define SWP_DESCRIBE_H

#include "swp/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Owned by its context. */
typedef struct swp_description swp_description;

/** @return SWP_INVALID, with the nearest name as a hint, if there is no such built-in. */
SWP_API swp_status swp_description_from_builtin(swp_context *ctx, const char *name,
                                                swp_description **out);

/**
 * Reads YAML (absent in core-only builds). All errors of a file are reported, not just the first.
 * @param file  for diagnostics
 */
SWP_API swp_status swp_description_read_yaml(swp_context *ctx, const char *text, size_t length,
                                             const char *file, swp_description **out);

/** A value for one of the `variables:` of a file, in place of the file's own. */
typedef struct swp_variable {
    const char *name;
    const char *value;     /**< as the file could state it: a number, or with `${...}` */
    swp_place place;       /**< of the name, for diagnostics */
    swp_place value_place; /**< of the value */
} swp_variable;

/**
 * The same with other values for variables, of two for one the last counts, and for another target, whose figures its
 * expressions then have.
 * @param target  NULL: the description's own
 * @return SWP_INVALID, with the nearest name as a hint, also for a variable that the file does not have
 */
SWP_API swp_status swp_description_read_yaml_with(swp_context *ctx, const char *text, size_t length,
                                                  const char *file, const swp_variable *variables,
                                                  size_t variable_count, const swp_target *target,
                                                  swp_description **out);

/**
 * Sets a field by its path; the last setting of a path wins.
 * @param place  where the setting stands, for diagnostics
 * @return SWP_INVALID for an unknown path (with the nearest one as a hint), a value that is none, or
 *         a path that means nothing for this description.
 */
SWP_API swp_status swp_description_set(swp_context *ctx, swp_description *description,
                                       const char *path, const char *value, swp_place place);

/** Chooses the target by name. */
SWP_API swp_status swp_description_set_target(swp_context *ctx, swp_description *description,
                                              const char *name, swp_place place);

/**
 * Reads a target file (docs/targets.md). The target lives as long as the context.
 * @param file  its name in diagnostics
 */
SWP_API swp_status swp_target_read_yaml(swp_context *ctx, const char *text, size_t length,
                                        const char *file, const swp_target **out);

/** Chooses a target that was read from a file. */
SWP_API swp_status swp_description_use_target(swp_context *ctx, swp_description *description,
                                              const swp_target *target);

/** Compiles it. See swp_compile_schedule(). */
SWP_API swp_status swp_description_compile(swp_context *ctx, const swp_description *description,
                                           swp_schedule **out);

/**
 * The loop of a description as it would be compiled, checked.
 * @param work_groups  that share a multiprocessor, where the loop leaves that open; 0: the fewest
 * @return SWP_INVALID, with a diagnostic, also if it describes no loop, or one that takes other work groups
 */
SWP_API swp_status swp_description_loop(swp_context *ctx, const swp_description *description,
                                        int work_groups, swp_loop *out);

#ifdef __cplusplus
}
#endif
#endif
