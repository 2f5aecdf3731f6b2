/* SPDX-License-Identifier: Apache-2.0 */
/* Finds, by the code of a diagnostic, the line of the description that it is about. */
#include "describe/place_diags.h"

#include "base/diag.h"
#include "base/names.h"

#include <string.h>

enum { MOST_SUBJECTS = 4 };

/* What a diagnostic of a code is about: X(code, subjects...), the most telling first. */
/* clang-format off */
#define SUBJECTS(X) \
    X(E0202, "pipeline.depth", "pipeline.num_partitions") \
    X(E0301, "body") \
    X(E0302, "edges", "body") \
    X(E0303, "edges", "body") \
    X(E0304, "edges", "body") \
    X(E0305, "edges", "body") \
    X(E0306, "body") \
    X(E0307, "body") \
    X(E0308, "reorder", "body") \
    X(E0309, "body") \
    X(E0324, "loop") \
    X(E0325, "loop") \
    X(E0326, "loop") \
    X(E0327, "loop") \
    X(E0333, "loop") \
    X(E0401, "schedule.max_vgpr", "body") \
    X(E0402, "body") \
    X(E0403, "body") \
    X(E0404, "body") \
    X(E0501, "body") \
    X(E0502, "pipeline.m_mmas", "pipeline.n_mmas", "body") \
    X(E0503, "pipeline.max_globals", "body") \
    X(E0504, "body") \
    X(E0505, "blocks", "body") \
    X(E0506, "bootstrap", "body") \
    X(E0507, "body") \
    X(E0601, "geometry.block", "geometry.mma", "geometry.elem_bytes") \
    X(E0705, "loop") \
    X(E0730, "body", "loop") \
    X(E0731, "body", "loop") \
    X(W0601, "machine.vm_max", "pipeline.vm_per_load_a", "pipeline.vm_per_load_b", "geometry.block") \
    X(W0602, "geometry.block", "geometry.elem_bytes")
/* clang-format on */

static const struct {
    const char *code;
    const char *subjects[MOST_SUBJECTS];
} rows[] = {
#define ROW(code, ...) {#code, {__VA_ARGS__}},
    SUBJECTS(ROW)
#undef ROW
};

/* A key of the top level; one that is absent has no place. */
static swp_place place_of_key(const swp_description *description, const char *key)
{
    const swp_own_body *body = &description->body;
    const struct {
        const char *key;
        swp_place place;
    } keys[] = {
        {"body", body->body_place},
        {"edges", body->edges_place},
        {"reorder", body->reorder_place},
        {"blocks", body->blocks_place},
        {"bootstrap", body->bootstrap_place},
        {"loop", description->loop ? description->loop->place : SWP_NOWHERE},
    };
    for (size_t i = 0; i < SWP_COUNT_OF(keys); i++)
        if (strcmp(keys[i].key, key) == 0)
            return keys[i].place;
    return SWP_NOWHERE;
}

static swp_place place_of(const swp_description *description, const char *subject)
{
    const swp_setting *setting = swp_describe_setting(description, subject);
    return setting ? setting->value : place_of_key(description, subject);
}

static swp_place place_of_first(const swp_description *description,
                                const char *const subjects[MOST_SUBJECTS])
{
    swp_place place = SWP_NOWHERE;
    for (size_t i = 0; i < MOST_SUBJECTS && subjects[i] && !place.file; i++)
        place = place_of(description, subjects[i]);
    return place;
}

static swp_place place_by_code(const swp_description *description, const char *code)
{
    for (size_t i = 0; i < SWP_COUNT_OF(rows); i++)
        if (strcmp(rows[i].code, code) == 0)
            return place_of_first(description, rows[i].subjects);
    return SWP_NOWHERE;
}

void swp_describe_place_diags(swp_context *ctx, const swp_description *description, size_t first)
{
    for (size_t i = first; i < ctx->diags->count; i++) {
        swp_diag *diag = &ctx->diags->items[i];
        if (!diag->place.file)
            diag->place = place_of(description, diag->subject);
        if (!diag->place.file)
            diag->place = place_by_code(description, diag->code);
    }
}
