/* SPDX-License-Identifier: Apache-2.0 */
/* Audits as SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format"), which code hosts show beside the source. */
#include "swp/report.h"
#include "swp/version.h"

#include "base/require.h"
#include "json/put.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FINGERPRINT = 1024 };

/* A value of NULL is memory that ran out, and makes the object NULL too. */
static json_t *message_value(const char *text)
{
    return json_pack("{s:s}", "text", text);
}

/* RFC 3986: what is no letter, digit or one of -._~/ is given by its number. */
static json_t *uri_value(const char *path)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    static const char digits[] = "0123456789ABCDEF";
    char *uri = malloc(8 + 3 * strlen(path));
    if (!uri)
        return NULL;
    char *to = uri;
    if (path[0] == '/') {
        memcpy(to, "file://", 7);
        to += 7;
    }
    for (const char *c = path; *c; c++) {
        if (strchr(plain, *c)) {
            *to++ = *c;
            continue;
        }
        *to++ = '%';
        *to++ = digits[(unsigned char)*c >> 4];
        *to++ = digits[(unsigned char)*c & 15];
    }
    *to = '\0';
    json_t *value = json_string(uri);
    free(uri);
    return value;
}

static json_t *physical_value(const char *file, int line)
{
    if (line < 1)
        return json_pack("{s:{s:o}}", "artifactLocation", "uri", uri_value(file));
    return json_pack("{s:{s:o}, s:{s:i}}", "artifactLocation", "uri", uri_value(file), "region",
                     "startLine", line);
}

/* Of the source where it is known, as that is what a code host shows. */
static json_t *location_value(const char *file, const swp_audit_site *site, const char *kernel)
{
    json_t *physical = site->source ? physical_value(site->source, site->source_line)
                                    : physical_value(file, site->line);
    json_t *value = json_pack("{s:o}", "physicalLocation", physical);
    if (value && site->text && json_object_set_new(value, "message", message_value(site->text))) {
        json_decref(value);
        return NULL;
    }
    if (value && kernel &&
        json_object_set_new(value, "logicalLocations",
                            json_pack("[{s:s, s:s}]", "name", kernel, "kind", "function"))) {
        json_decref(value);
        return NULL;
    }
    return value;
}

static const char *kernel_of(const swp_audit_report *report, int kernel)
{
    return report->kernels.count ? report->kernels.items[kernel].name : NULL;
}

static json_t *related_value(const swp_audit_report *report, const swp_audit_finding *finding)
{
    json_t *list = json_array();
    if (list && finding->other.line &&
        json_array_append_new(list, location_value(report->file, &finding->other, NULL))) {
        json_decref(list);
        return NULL;
    }
    /* The line of the PTX beside that of the source. */
    if (list && finding->at.source &&
        json_array_append_new(list, json_pack("{s:o}", "physicalLocation",
                                              physical_value(report->file, finding->at.line)))) {
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *suppressions_value(const swp_audit_finding *finding)
{
    return finding->accepted
               ? json_pack("[{s:s, s:s}]", "kind", "external", "justification", finding->accepted)
               : json_array();
}

/* What stays the same when lines move. */
static json_t *fingerprint_value(const swp_audit_report *report, const swp_audit_finding *finding)
{
    char text[FINGERPRINT];
    const char *kernel = kernel_of(report, finding->kernel);
    const char *at = finding->at.text ? finding->at.text : "";
    const char *other = finding->other.text ? finding->other.text : "";
    (void)snprintf(text, sizeof text, "%.*s:%s:%.*s:%.*s", (int)strcspn(kernel ? kernel : "", "<"),
                   kernel ? kernel : "", swp_hazard_name(finding->kind), (int)strcspn(at, " "), at,
                   (int)strcspn(other, " "), other);
    return json_pack("{s:s}", "swp/1", text);
}

static json_t *text_of_finding(const swp_audit_finding *finding)
{
    return json_pack(
        "{s:o}", "text",
        json_sprintf("%s: %s. Hint: %s", finding->place, finding->detail, finding->hint));
}

static json_t *finding_value(const swp_audit_report *report, const swp_audit_finding *finding)
{
    return json_pack(
        "{s:s, s:s, s:o, s:[o], s:o, s:o, s:o}", "ruleId", swp_hazard_name(finding->kind), "level",
        finding->certain ? "error" : "warning", "message", text_of_finding(finding), "locations",
        location_value(report->file, &finding->at, kernel_of(report, finding->kernel)),
        "relatedLocations", related_value(report, finding), "partialFingerprints",
        fingerprint_value(report, finding), "suppressions", suppressions_value(finding));
}

/* What is not known is no defect: it is told, and fails nothing. */
static json_t *note_value(const swp_audit_report *report, const swp_audit_note *note)
{
    return json_pack("{s:s, s:s, s:s, s:o, s:[o]}", "ruleId", "unknown", "kind", "review", "level",
                     "none", "message", message_value(note->why), "locations",
                     location_value(report->file, &note->at, NULL));
}

static bool append(json_t *list, json_t *value)
{
    return value && json_array_append_new(list, value) == 0;
}

static bool add_report(json_t *results, const swp_audit_report *report)
{
    bool whole = true;
    for (size_t i = 0; i < report->findings.count && whole; i++)
        whole = append(results, finding_value(report, &report->findings.items[i]));
    for (size_t i = 0; i < report->unknown_instructions.count && whole; i++)
        whole = append(results, note_value(report, &report->unknown_instructions.items[i]));
    return whole;
}

static json_t *results_value(const swp_audit_file_result *files, size_t count)
{
    json_t *results = json_array();
    bool whole = results != NULL;
    for (size_t i = 0; i < count && whole; i++)
        whole = !files[i].report || add_report(results, files[i].report);
    if (!whole) {
        json_decref(results);
        return NULL;
    }
    return results;
}

static json_t *rules_value(void)
{
    json_t *rules = json_array();
    bool whole = rules != NULL;
    for (int kind = 0; kind < SWP_HAZARD_KINDS && whole; kind++)
        whole = append(rules, json_pack("{s:s, s:o}", "id", swp_hazard_name((swp_hazard_kind)kind),
                                        "shortDescription",
                                        message_value(swp_hazard_meaning((swp_hazard_kind)kind))));
    whole = whole && append(rules, json_pack("{s:s, s:o}", "id", "unknown", "shortDescription",
                                             message_value("what the audit could not decide")));
    if (!whole) {
        json_decref(rules);
        return NULL;
    }
    return rules;
}

/* Files that were not judged. */
static json_t *invocation_value(const swp_audit_file_result *files, size_t count)
{
    json_t *notes = json_array();
    bool whole = notes != NULL;
    bool all = true;
    for (size_t i = 0; i < count && whole; i++) {
        if (files[i].report)
            continue;
        all = false;
        whole = append(notes, json_pack("{s:s, s:o, s:[{s:o}]}", "level", "error", "message",
                                        message_value(files[i].why), "locations",
                                        "physicalLocation", physical_value(files[i].file, 0)));
    }
    if (!whole) {
        json_decref(notes);
        return NULL;
    }
    return json_pack("{s:b, s:o}", "executionSuccessful", (int)all, "toolExecutionNotifications",
                     notes);
}

swp_status swp_audit_sarif(swp_context *ctx, const swp_audit_file_result *files, size_t count,
                           char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && (files || !count) && text);
    swp_text sheet = {.ctx = ctx};
    json_t *driver = json_pack("{s:s, s:s, s:o}", "name", "swp", "version", swp_version(), "rules",
                               rules_value());
    json_t *run = json_pack("{s:{s:o}, s:[o], s:o}", "tool", "driver", driver, "invocations",
                            invocation_value(files, count), "results", results_value(files, count));
    swp_json_put_value(&sheet, json_pack("{s:s, s:s, s:[o]}", "$schema",
                                         "https://json.schemastore.org/sarif-2.1.0.json", "version",
                                         "2.1.0", "runs", run));
    swp_json_put(&sheet, "\n");
    return swp_text_end(&sheet, text, length);
}
