/* SPDX-License-Identifier: Apache-2.0 */
/* A report of PTX from what audit.c wrote of it: for answers that are kept, so that what does not fit is refused in one way. */
#include "swp/report.h"

#include "base/diag.h"
#include "base/require.h"
#include "json/decode.h"

#include <string.h>

/* A text without which there is nothing, or NULL. */
static swp_status read_text(swp_context *ctx, const json_t *object, const char *key,
                            const char **out)
{
    const json_t *value = json_object_get(object, key);
    char *copy = NULL;
    if (json_is_string(value))
        SWP_TRY(swp_copy_text(ctx, json_string_value(value), json_string_length(value), &copy));
    *out = copy;
    return SWP_OK;
}

static int read_int(const json_t *object, const char *key)
{
    return (int)json_integer_value(json_object_get(object, key));
}

static swp_status read_source(swp_context *ctx, const json_t *object, const char *key,
                              const char **file, int *line)
{
    const json_t *value = json_object_get(object, key);
    *line = read_int(value, "line");
    return read_text(ctx, value, "file", file);
}

static swp_status read_site(swp_context *ctx, const json_t *object, const char *key,
                            swp_audit_site *out)
{
    const json_t *value = json_object_get(object, key);
    *out = (swp_audit_site){.line = read_int(value, "line")};
    SWP_TRY(read_text(ctx, value, "text", &out->text));
    SWP_TRY(read_source(ctx, value, "source", &out->source, &out->source_line));
    return read_source(ctx, value, "caller", &out->caller, &out->caller_line);
}

/* The number of a word of a table; -1: it has none. */
static int read_word(const json_t *object, const char *key, const char *(*name)(int), int count)
{
    const char *word = json_string_value(json_object_get(object, key));
    for (int i = 0; word && i < count; i++)
        if (strcmp(name(i), word) == 0)
            return i;
    return -1;
}

static const char *name_of_kind(int kind)
{
    return swp_hazard_name((swp_hazard_kind)kind);
}

static const char *name_of_answer(int answer)
{
    return swp_audit_answer_name((swp_audit_answer)answer);
}

static swp_status read_also(swp_context *ctx, const json_t *array, swp_audit_pair_list *out)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *value = json_array_get(array, i);
        swp_audit_pair pair = {.kernel = read_int(value, "kernel")};
        SWP_TRY(read_site(ctx, value, "at", &pair.at));
        SWP_TRY(read_site(ctx, value, "other", &pair.other));
        SWP_TRY(SWP_PUSH(ctx, out, pair));
    }
    return SWP_OK;
}

static swp_status read_findings(swp_context *ctx, const json_t *array, bool *good,
                                swp_audit_finding_list *out)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *value = json_array_get(array, i);
        swp_audit_finding finding = {.certain = json_is_true(json_object_get(value, "certain")),
                                     .kernel = read_int(value, "kernel"),
                                     .should_be = ""};
        const int kind = read_word(value, "kind", name_of_kind, SWP_HAZARD_KINDS);
        finding.kind = (swp_hazard_kind)kind;
        SWP_TRY(read_site(ctx, value, "at", &finding.at));
        SWP_TRY(read_site(ctx, value, "other", &finding.other));
        SWP_TRY(read_text(ctx, value, "place", &finding.place));
        SWP_TRY(read_text(ctx, value, "detail", &finding.detail));
        SWP_TRY(read_text(ctx, value, "hint", &finding.hint));
        SWP_TRY(read_also(ctx, json_object_get(value, "also"), &finding.also));
        *good &= kind >= 0 && finding.place && finding.detail && finding.hint;
        SWP_TRY(SWP_PUSH(ctx, out, finding));
    }
    return SWP_OK;
}

static swp_status read_kernels(swp_context *ctx, const json_t *array, bool *good,
                               swp_audit_kernel_list *out)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *value = json_array_get(array, i);
        swp_audit_kernel kernel = {.line = read_int(value, "line"),
                                   .faults = read_int(value, "faults"),
                                   .unknown = read_int(value, "unknown")};
        const int answer = read_word(value, "answer", name_of_answer, SWP_AUDIT_UNKNOWN + 1);
        kernel.answer = (swp_audit_answer)answer;
        SWP_TRY(read_text(ctx, value, "name", &kernel.name));
        SWP_TRY(read_text(ctx, value, "symbol", &kernel.symbol));
        SWP_TRY(read_text(ctx, value, "shown", &kernel.proven));
        SWP_TRY(read_text(ctx, value, "not_shown", &kernel.open));
        *good &= answer >= 0 && kernel.name && kernel.symbol && kernel.proven && kernel.open;
        SWP_TRY(SWP_PUSH(ctx, out, kernel));
    }
    return SWP_OK;
}

static swp_status read_notes(swp_context *ctx, const json_t *array, bool *good,
                             swp_audit_note_list *out)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        swp_audit_note note = {0};
        SWP_TRY(read_site(ctx, json_array_get(array, i), "at", &note.at));
        SWP_TRY(read_text(ctx, json_array_get(array, i), "why", &note.why));
        *good &= note.why != NULL;
        SWP_TRY(SWP_PUSH(ctx, out, note));
    }
    return SWP_OK;
}

static swp_status read_report(swp_context *ctx, const json_t *root, bool *good,
                              swp_audit_report *out)
{
    const int answer = read_word(root, "answer", name_of_answer, SWP_AUDIT_UNKNOWN + 1);
    out->answer = (swp_audit_answer)answer;
    out->instructions = read_int(root, "instructions");
    SWP_TRY(read_text(ctx, root, "target", &out->target));
    SWP_TRY(read_kernels(ctx, json_object_get(root, "kernels"), good, &out->kernels));
    SWP_TRY(read_findings(ctx, json_object_get(root, "findings"), good, &out->findings));
    SWP_TRY(read_notes(ctx, json_object_get(root, "unknown_instructions"), good,
                       &out->unknown_instructions));
    SWP_TRY(read_notes(ctx, json_object_get(root, "assumptions"), good, &out->assumptions));
    *good &= answer >= 0 && out->target && out->kernels.count;
    for (size_t i = 0; i < out->findings.count; i++)
        *good &= out->findings.items[i].kernel >= 0 &&
                 (size_t)out->findings.items[i].kernel < out->kernels.count;
    return SWP_OK;
}

swp_status swp_audit_read(swp_context *ctx, const char *text, size_t length, const char *file,
                          swp_audit_report *out)
{
    SWP_REQUIRE(ctx, ctx && (text || length == 0) && out);
    bool good = true;
    swp_status status = SWP_OK;
    json_t *root = swp_json_load(ctx, text ? text : "", length, 0, NULL, &status);
    SWP_TRY(status);
    *out = (swp_audit_report){.file = file, .target = "", .main_loop = -1};
    if (root)
        status = read_report(ctx, root, &good, out);
    good &= root != NULL;
    json_decref(root);
    SWP_TRY(status);
    if (good)
        return SWP_OK;
    return swp_error(ctx, SWP_E0843, (swp_place){file, 0, 0},
                     "`swp audit --format json` writes one",
                     "this is no report of an audit of PTX");
}
