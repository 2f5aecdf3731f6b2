/* SPDX-License-Identifier: Apache-2.0 */
/* Checks files of many problems, answers and certificates, and finds out which belong together. */
#include "swp/certify.h"

#include "base/require.h"
#include "problem/matching.h"

struct swp_certificate_batch {
    swp_problem_texts problems;
    swp_answer *answers;
    swp_matching answer_names;
    swp_certificate_parts certificates;
    swp_matching certificate_names;
};

static swp_status read_answers(swp_context *ctx, const swp_problem_text *text,
                               swp_certificate_batch *batch)
{
    swp_problem_texts parts = {0};
    SWP_TRY(swp_problem_split(ctx, text->text, text->length, text->place.file, &parts));
    SWP_TRY(SWP_TAKE(ctx, parts.count + 1, &batch->answers));
    SWP_TRY(swp_problem_matching_new(ctx, parts.count, &batch->answer_names));
    for (size_t i = 0; i < parts.count; i++) {
        const char *name = NULL;
        SWP_TRY(swp_answer_read_json(ctx, &parts.items[i], &name, &batch->answers[i]));
        SWP_TRY(swp_problem_matching_add(ctx, &batch->answer_names, name));
    }
    return SWP_OK;
}

/* Certificates may be far larger than memory, so each is read when it is checked. */
static swp_status cut_certificates(swp_context *ctx, const swp_problem_text *text,
                                   swp_certificate_batch *batch)
{
    swp_certificate_parts *parts = &batch->certificates;
    SWP_TRY(swp_certificate_split(ctx, text->text, text->length, text->place.file, parts));
    SWP_TRY(swp_problem_matching_new(ctx, parts->count, &batch->certificate_names));
    for (size_t i = 0; i < parts->count; i++)
        SWP_TRY(swp_problem_matching_add(ctx, &batch->certificate_names, parts->items[i].name));
    return SWP_OK;
}

swp_status swp_certificate_batch_new(swp_context *ctx, const swp_problem_text *problems,
                                     const swp_problem_text *answers,
                                     const swp_problem_text *certificates,
                                     swp_certificate_batch **out)
{
    SWP_REQUIRE(ctx, ctx && problems && answers && certificates && out);
    swp_certificate_batch *batch = NULL;
    SWP_TRY(SWP_TAKE(ctx, 1, &batch));
    SWP_TRY(swp_problem_split(ctx, problems->text, problems->length, problems->place.file,
                              &batch->problems));
    SWP_TRY(read_answers(ctx, answers, batch));
    SWP_TRY(cut_certificates(ctx, certificates, batch));
    *out = batch;
    return SWP_OK;
}

size_t swp_certificate_batch_count(const swp_certificate_batch *batch)
{
    SWP_REQUIRE_OR(0, batch);
    return batch->problems.count;
}

/* Reports what one file has and another lacks. */
static swp_certificate_report missing(const char *name, const char *why)
{
    return (swp_certificate_report){
        .name = name, .verdict = SWP_CERTIFICATE_REFUSED, .status = SWP_ANSWER_UNKNOWN, .why = why};
}

swp_status swp_certificate_batch_check(swp_context *ctx, swp_certificate_batch *batch, size_t index,
                                       swp_certificate_report *report)
{
    SWP_REQUIRE(ctx, ctx && batch && report);
    swp_problem problem;
    swp_certificate certificate;
    size_t a = 0;
    size_t c = 0;
    SWP_TRY(swp_problem_read_json(ctx, &batch->problems.items[index], &problem));
    const bool answered = swp_problem_matching_take(&batch->answer_names, problem.name, &a);
    const bool certified = swp_problem_matching_take(&batch->certificate_names, problem.name, &c);
    if (!answered || !certified) {
        *report = missing(problem.name, answered ? "there is no certificate for this problem"
                                                 : "there is no answer to this problem");
        return SWP_OK;
    }
    SWP_TRY(swp_certificate_read(ctx, &batch->certificates.items[c].text, &certificate));
    return swp_certificate_check(ctx, &problem, &batch->answers[a], &certificate, report);
}

static swp_status add_unmatched(swp_context *ctx, const swp_matching *names, const char *why,
                                swp_certificate_reports *out)
{
    for (size_t i = 0; i < names->count; i++)
        if (!names->parts[i].taken)
            SWP_TRY(SWP_PUSH(ctx, out, missing(names->parts[i].name, why)));
    return SWP_OK;
}

swp_status swp_certificate_batch_unmatched(swp_context *ctx, const swp_certificate_batch *batch,
                                           swp_certificate_reports *out)
{
    SWP_REQUIRE(ctx, ctx && batch && out);
    SWP_TRY(
        add_unmatched(ctx, &batch->answer_names, "the answer is for no problem of the file", out));
    return add_unmatched(ctx, &batch->certificate_names,
                         "the certificate is for no problem of the file", out);
}
