/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the rows of all configuration tables by their paths. */
#include "swp/fields.h"

#include "base/context.h"
#include "base/names.h"
#include "base/require.h"
#include "swp/suggest.h"

#include <limits.h>
#include <string.h>

static const swp_name section_names[] = {SWP_SECTIONS(SWP_NAME_ROW)};

#define FIELD(section, path, kind, name, value, least, most, unit, meaning)                        \
    {#name, section, SWP_FIELD_##kind, offsetof(swp_settings, path name), least,                   \
     most,  unit,    meaning},
#define PIPELINE(...) FIELD(SWP_SECTION_PIPELINE, pipeline., __VA_ARGS__)
#define SIZING(...) FIELD(SWP_SECTION_PIPELINE, pipeline.block_sizing., __VA_ARGS__)
#define SCHEDULE(...) FIELD(SWP_SECTION_SCHEDULE, schedule., __VA_ARGS__)
#define MACHINE(...) FIELD(SWP_SECTION_MACHINE, machine., __VA_ARGS__)
#define GEOMETRY(...) FIELD(SWP_SECTION_GEOMETRY, geometry., __VA_ARGS__)
#define LOOP(...) FIELD(SWP_SECTION_LOOP, loop., __VA_ARGS__)
#define HINTS(...) FIELD(SWP_SECTION_HINTS, hints., __VA_ARGS__)

enum { MOST_EXTENT = 65536, MOST_K_TILES = 1024 };

static const swp_field fields[] = {
    {"num_k_tiles", SWP_SECTION_KERNEL, SWP_FIELD_INT, offsetof(swp_settings, num_k_tiles), 1,
     MOST_K_TILES, "fragments", "fragments a tile of the single-buffer matmul"},
    /* clang-format off */
    SWP_PIPELINE_CONFIG_FIELDS(PIPELINE)
    SWP_BLOCK_SIZING_FIELDS(SIZING)
    SWP_SCHEDULE_CONFIG_FIELDS(SCHEDULE)
    SWP_MACHINE_FIELDS(MACHINE)
    GEOMETRY(TRIPLE, block, , 1, MOST_EXTENT, "elements", "BM,BN,BK: the tile of a work group")
    GEOMETRY(TRIPLE, mma, , 1, MOST_EXTENT, "elements", "M,N,K of one matrix instruction")
    GEOMETRY(INT, elem_bytes, , 1, 16, "bytes", "of an element: 1 is fp8")
    SWP_MMA_HINTS_FIELDS(HINTS)
    SWP_LOOP_SETTINGS_FIELDS(LOOP)
    /* clang-format on */
};

swp_settings swp_settings_default(void)
{
    return (swp_settings){.pipeline = swp_pipeline_config_default(),
                          .schedule = swp_schedule_config_default(),
                          .machine = swp_machine_default(),
                          .geometry = swp_tile_shape_default(),
                          .hints = swp_mma_hints_default(),
                          .loop = swp_loop_settings_default(),
                          .num_k_tiles = 2};
}

const char *swp_section_name(swp_section section)
{
    return swp_name_of(section_names, SWP_COUNT_OF(section_names), (int)section);
}

const swp_field *swp_fields(size_t *count)
{
    SWP_REQUIRE_OR(NULL, count);
    *count = SWP_COUNT_OF(fields);
    return fields;
}

static bool path_is(const swp_field *field, const char *path)
{
    const char *section = swp_section_name(field->section);
    const size_t length = strlen(section);
    if (length == 0)
        return strcmp(path, field->name) == 0;
    return strncmp(path, section, length) == 0 && path[length] == '.' &&
           strcmp(path + length + 1, field->name) == 0;
}

const swp_field *swp_field_find(const char *path)
{
    SWP_REQUIRE_OR(NULL, path);
    for (size_t i = 0; i < SWP_COUNT_OF(fields); i++)
        if (path_is(&fields[i], path))
            return &fields[i];
    return NULL;
}

const char *swp_field_suggest(swp_context *ctx, const char *path)
{
    SWP_REQUIRE_OR(NULL, ctx && path);
    swp_suggestion near = swp_suggest_start(path);
    const char *dot = strrchr(path, '.');
    swp_suggestion near_name = swp_suggest_start(dot ? dot + 1 : path);
    const char *best = NULL;
    for (size_t i = 0; i < SWP_COUNT_OF(fields); i++) {
        const char *section = swp_section_name(fields[i].section);
        char *full = NULL;
        if (swp_format(ctx, &full, "%s%s%s", section, *section ? "." : "", fields[i].name) !=
            SWP_OK)
            return NULL;
        swp_suggest_offer(&near, full);
        const char *before = near_name.best;
        swp_suggest_offer(&near_name, fields[i].name);
        if (near_name.best != before)
            best = full;
    }
    return near.best ? near.best : best;
}
