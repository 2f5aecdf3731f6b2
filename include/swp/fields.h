/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file fields.h  The configuration tables at run time: names, ranges, text in and out.
 *
 * A setting's path is `section.field` ("schedule.max_vgpr"); the kernel section has no prefix
 * ("num_k_tiles").
 */
#ifndef SWP_FIELDS_H
#define SWP_FIELDS_H

#include "swp/config.h"
#include "swp/geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Everything that a description can set. */
typedef struct swp_settings {
    swp_pipeline_config pipeline;
    swp_schedule_config schedule;
    swp_machine machine;
    swp_tile_shape geometry;
    swp_mma_hints hints;
    swp_loop_settings loop;
    int num_k_tiles; /**< fragments a tile of the single-buffer matmul, T */
} swp_settings;

/** Returns every section with the defaults of its table. */
SWP_API swp_settings swp_settings_default(void);

#define SWP_SECTIONS(X)                                                                            \
    X(SWP_SECTION_KERNEL, 0, "")                                                                   \
    X(SWP_SECTION_PIPELINE, 1, "pipeline")                                                         \
    X(SWP_SECTION_SCHEDULE, 2, "schedule")                                                         \
    X(SWP_SECTION_MACHINE, 3, "machine")                                                           \
    X(SWP_SECTION_GEOMETRY, 4, "geometry")                                                         \
    X(SWP_SECTION_HINTS, 5, "hints")                                                               \
    X(SWP_SECTION_LOOP, 6, "loop")

typedef enum swp_section { SWP_SECTIONS(SWP_NUMBERED) SWP_SECTION_COUNT } swp_section;

typedef enum swp_field_kind {
    SWP_FIELD_INT,
    SWP_FIELD_BOOL,
    SWP_FIELD_MASK,
    SWP_FIELD_STRATEGY,
    SWP_FIELD_SYNC_MODE,
    SWP_FIELD_SYNC_GOAL,
    SWP_FIELD_FRAG_ORDER,
    SWP_FIELD_LOOP_CARRIED,
    SWP_FIELD_STAGGER,
    SWP_FIELD_BARRIER_KIND,
    SWP_FIELD_REGISTER_MODE,
    SWP_FIELD_COUNTER_FULL,
    SWP_FIELD_TRIPLE /**< three ints in a row: "256,256,64" */
} swp_field_kind;

/** One row of a table. */
typedef struct swp_field {
    const char *name;
    swp_section section;
    swp_field_kind kind;
    size_t offset; /**< in swp_settings */
    int64_t least; /**< of INT and TRIPLE rows */
    int64_t most;
    const char *unit; /**< "" where there is none */
    const char *meaning;
} swp_field;

/** Returns the name of a value of machine.registers. */
SWP_API const char *swp_register_mode_name(swp_register_mode mode);

/** Returns the section's name in a path; "" for the kernel section. */
SWP_API const char *swp_section_name(swp_section section);

/** Returns the rows of all sections, in order. */
SWP_API const swp_field *swp_fields(size_t *count);

/** Returns the row of a path, or NULL. */
SWP_API const swp_field *swp_field_find(const char *path);

/** Longest path that swp_field_path() writes, with its end. */
#define SWP_FIELD_PATH_SIZE 96

/** Writes the path of a row: `section.field`, or the field alone. @return path */
SWP_API const char *swp_field_path(const swp_field *field, char path[SWP_FIELD_PATH_SIZE]);

/** Returns the known path nearest to a misspelt one, or NULL if none is near. */
SWP_API const char *swp_field_suggest(swp_context *ctx, const char *path);

/**
 * Reads `text` into the field of `settings`. Integers are decimal, masks also 0x and 0b; booleans
 * are true and false.
 * @param place  for the diagnostic
 * @return SWP_INVALID for text that is no value of the row's kind, or out of its range; the field
 *         then keeps its value.
 */
SWP_API swp_status swp_field_parse(swp_context *ctx, const swp_field *field, const char *text,
                                   swp_place place, swp_settings *settings);

/** Longest text that swp_field_format() writes, with its end. */
#define SWP_FIELD_TEXT_SIZE 96

/** Writes the field's value as swp_field_parse() reads it. */
SWP_API void swp_field_format(const swp_field *field, const swp_settings *settings,
                              char text[SWP_FIELD_TEXT_SIZE]);

/** Refuses values of a section that its table does not allow, one diagnostic each. */
SWP_API swp_status swp_settings_check(swp_context *ctx, swp_section section,
                                      const swp_settings *settings);

/** Returns whether the value in `settings` is one that the row allows. */
SWP_API bool swp_field_in_domain(const swp_field *field, const swp_settings *settings);

/** Writes what a value of the row may be, for messages: "0..255", "true|false", "identity|greedy|csp". */
SWP_API void swp_field_domain(const swp_field *field, char text[SWP_FIELD_TEXT_SIZE]);

#ifdef __cplusplus
}
#endif
#endif
