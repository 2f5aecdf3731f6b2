/* SPDX-License-Identifier: Apache-2.0 */
/* Findings that a project accepts, each with its reason, as JSON; they are told apart by what stays when lines and registers change. */
#include "swp/report.h"

#include "base/require.h"
#include "json/decode.h"
#include "json/kind.h"
#include "json/put.h"

#include <limits.h>
#include <string.h>

#define IN_FILE(name) (&(swp_json_path){.key = (name)})

static const char about[] = "docs/audit.md, \"A baseline\", describes the format";

/* --- which findings an entry is about --- */

/* The name of an instruction, behind its guard. */
static swp_status copy_name(swp_context *ctx, const char *text, const char **out)
{
    char *copy = NULL;
    if (text && text[0] == '@')
        text += strcspn(text, " ");
    text = text ? text + strspn(text, " ") : "";
    SWP_TRY(swp_copy_text(ctx, text, strcspn(text, " ;"), &copy));
    *out = copy;
    return SWP_OK;
}

static swp_status describe(swp_context *ctx, const swp_audit_report *report,
                           const swp_audit_finding *finding, swp_audit_accepted *out)
{
    const char *kernel =
        report->kernels.count ? report->kernels.items[finding->kernel].name : report->file;
    char *copy = NULL;
    *out = (swp_audit_accepted){.kind = swp_hazard_name(finding->kind), .reason = ""};
    SWP_TRY(swp_copy_text(ctx, kernel, strcspn(kernel, "<"), &copy));
    out->kernel = copy;
    SWP_TRY(copy_name(ctx, finding->at.text, &out->at));
    return copy_name(ctx, finding->other.text, &out->other);
}

static bool is_like(const swp_audit_accepted *a, const swp_audit_accepted *b)
{
    return strcmp(a->kernel, b->kernel) == 0 && strcmp(a->kind, b->kind) == 0 &&
           strcmp(a->at, b->at) == 0 && strcmp(a->other, b->other) == 0;
}

/* What stands for each finding of a report; those that are alike are numbered by line. */
static swp_status describe_all(swp_context *ctx, const swp_audit_report *report,
                               swp_audit_accepted **out)
{
    const swp_audit_finding *items = report->findings.items;
    SWP_TRY(SWP_TAKE(ctx, report->findings.count + 1, out));
    for (size_t i = 0; i < report->findings.count; i++)
        SWP_TRY(describe(ctx, report, &items[i], &(*out)[i]));
    for (size_t i = 0; i < report->findings.count; i++)
        for (size_t j = 0; j < report->findings.count; j++)
            (*out)[i].number += is_like(&(*out)[i], &(*out)[j]) &&
                                (items[j].at.line < items[i].at.line ||
                                 (j < i && items[j].at.line == items[i].at.line));
    return SWP_OK;
}

/* --- reading --- */

static swp_status read_text(swp_json_reader *reader, const swp_json_path *up, const json_t *object,
                            const char *key, const char **out)
{
    const json_t *value = swp_json_require(reader, up, object, key);
    const swp_json_path path = {.up = up, .key = key};
    char *copy = NULL;
    *out = "";
    if (!value || !swp_json_expect(reader, &path, value, JSON_STRING))
        return SWP_OK;
    SWP_TRY(swp_copy_text(reader->ctx, json_string_value(value), json_string_length(value), &copy));
    *out = copy;
    return SWP_OK;
}

static swp_status read_entry(swp_json_reader *reader, const swp_json_path *path, json_t *object,
                             swp_audit_accepted *out)
{
    static const char *const known[] = {"kernel", "kind", "at", "other", "number", "reason"};
    if (!swp_json_expect(reader, path, object, JSON_OBJECT))
        return SWP_OK;
    swp_json_refuse_unknown(reader, path, object, known, SWP_COUNT_OF(known));
    SWP_TRY(read_text(reader, path, object, "kernel", &out->kernel));
    SWP_TRY(read_text(reader, path, object, "kind", &out->kind));
    SWP_TRY(read_text(reader, path, object, "at", &out->at));
    SWP_TRY(read_text(reader, path, object, "other", &out->other));
    SWP_TRY(read_text(reader, path, object, "reason", &out->reason));
    const swp_json_path number = {.up = path, .key = "number"};
    const json_t *value = json_object_get(object, "number");
    if (value)
        (void)swp_json_read_int(reader, &number, value, 0, INT_MAX, &out->number);
    const swp_json_path reason = {.up = path, .key = "reason"};
    if (json_object_get(object, "reason") && !out->reason[strspn(out->reason, " ")])
        swp_json_complain(reader, &reason, "say why this finding is none, or may stay",
                          "an accepted finding needs a reason");
    return SWP_OK;
}

static swp_status read_root(swp_json_reader *reader, json_t *root, swp_audit_baseline *out)
{
    static const char *const known[] = {"swp_audit_baseline", "accepted"};
    const swp_json_path *up = IN_FILE("accepted");
    if (swp_json_is_other_file(reader, root, SWP_JSON_BASELINE))
        return SWP_OK;
    if (!swp_json_expect(reader, NULL, root, JSON_OBJECT))
        return SWP_OK;
    int version = 0;
    const json_t *number = swp_json_require(reader, NULL, root, "swp_audit_baseline");
    if (number)
        (void)swp_json_read_int(reader, IN_FILE("swp_audit_baseline"), number, 1, 1, &version);
    json_t *array = swp_json_require(reader, NULL, root, "accepted");
    swp_json_refuse_unknown(reader, NULL, root, known, SWP_COUNT_OF(known));
    if (!array || !swp_json_expect(reader, up, array, JSON_ARRAY))
        return SWP_OK;
    for (size_t i = 0; i < json_array_size(array); i++) {
        const swp_json_path path = {.up = up, .index = i};
        swp_audit_accepted entry = {.entry = (int)i};
        SWP_TRY(read_entry(reader, &path, json_array_get(array, i), &entry));
        SWP_TRY(SWP_PUSH(reader->ctx, out, entry));
    }
    return SWP_OK;
}

swp_status swp_audit_baseline_read(swp_context *ctx, const char *text, size_t length,
                                   const char *file, swp_audit_baseline *out)
{
    SWP_REQUIRE(ctx, ctx && (text || length == 0) && out);
    const swp_place at = {file, 1, 1};
    json_t *root = NULL;
    *out = (swp_audit_baseline){0};
    SWP_TRY(swp_json_parse(ctx, text ? text : "", length, at, SWP_E0841, SWP_JSON_BASELINE, &root));
    swp_json_reader reader = {
        .ctx = ctx, .in = {text, length, at}, .code = SWP_E0841, .about = about};
    swp_status status = read_root(&reader, root, out);
    json_decref(root);
    SWP_TRY(status);
    return swp_json_finish(&reader);
}

/* --- applying --- */

static bool is_about(const swp_audit_finding *finding, int kernel)
{
    bool is = finding->kernel == kernel;
    for (size_t i = 0; i < finding->also.count; i++)
        is |= finding->also.items[i].kernel == kernel;
    return is;
}

static void answer_kernel(const swp_audit_report *report, int number, swp_audit_kernel *kernel)
{
    int accepted = 0;
    for (size_t i = 0; i < report->findings.count; i++)
        if (report->findings.items[i].accepted && is_about(&report->findings.items[i], number)) {
            accepted++;
            kernel->faults -= report->findings.items[i].certain;
            kernel->unknown -= !report->findings.items[i].certain;
        }
    if (accepted && kernel->answer == SWP_AUDIT_FAULT && !kernel->faults)
        kernel->answer = SWP_AUDIT_UNKNOWN;
}

static void answer(swp_audit_report *report)
{
    bool fault = report->hazards.count > 0;
    for (size_t i = 0; i < report->findings.count; i++)
        fault |= report->findings.items[i].certain && !report->findings.items[i].accepted;
    for (size_t i = 0; i < report->kernels.count; i++)
        answer_kernel(report, (int)i, &report->kernels.items[i]);
    if (report->answer == SWP_AUDIT_FAULT && !fault)
        report->answer = SWP_AUDIT_UNKNOWN;
}

swp_status swp_audit_baseline_apply(swp_context *ctx, swp_audit_baseline *baseline,
                                    swp_audit_report *report)
{
    SWP_REQUIRE(ctx, ctx && baseline && report);
    swp_audit_accepted *found = NULL;
    SWP_TRY(describe_all(ctx, report, &found));
    for (size_t i = 0; i < report->findings.count; i++)
        for (size_t j = 0; j < baseline->count; j++) {
            swp_audit_accepted *entry = &baseline->items[j];
            if (!is_like(&found[i], entry) || found[i].number != entry->number)
                continue;
            entry->used = true;
            report->findings.items[i].accepted = entry->reason;
        }
    answer(report);
    return SWP_OK;
}

/* --- writing --- */

static json_t *entry_value(const swp_audit_accepted *entry)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:i, s:s}", "kernel", entry->kernel, "kind", entry->kind,
                     "at", entry->at, "other", entry->other, "number", entry->number, "reason",
                     entry->reason);
}

swp_status swp_audit_baseline_json(swp_context *ctx, const swp_audit_file_result *files,
                                   size_t count, char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && (files || !count) && text);
    swp_text sheet = {.ctx = ctx};
    size_t written = 0;
    swp_json_put_key(&sheet, "swp_audit_baseline");
    swp_json_put_value(&sheet, json_integer(1));
    swp_json_put_key(&sheet, "accepted");
    for (size_t f = 0; f < count; f++) {
        const swp_audit_report *report = files[f].report;
        swp_audit_accepted *found = NULL;
        if (!report)
            continue;
        SWP_TRY(describe_all(ctx, report, &found));
        for (size_t i = 0; i < report->findings.count; i++) {
            if (report->findings.items[i].accepted)
                found[i].reason = report->findings.items[i].accepted;
            swp_json_put_element(&sheet, written++, entry_value(&found[i]));
        }
    }
    swp_json_end_array(&sheet, written);
    swp_json_put(&sheet, "\n}\n");
    return swp_text_end(&sheet, text, length);
}

swp_status swp_audit_baseline_check(swp_context *ctx, const swp_audit_baseline *baseline,
                                    const char *file)
{
    SWP_REQUIRE(ctx, ctx && baseline);
    for (size_t i = 0; i < baseline->count; i++) {
        const swp_audit_accepted *entry = &baseline->items[i];
        if (!entry->used)
            SWP_TRY(swp_warn(ctx, SWP_W0841, (swp_place){file, 0, 0},
                             "take the entry out of the baseline",
                             "accepted[%d]: %s in %s is not found any more: %s, %s", entry->entry,
                             entry->kind, entry->kernel, entry->at, entry->other));
    }
    return SWP_OK;
}
