/* SPDX-License-Identifier: Apache-2.0 */
/* Finds where the certificates of a file begin and end. */
#include "certify/json_read.h"

#include "base/context.h"
#include "base/require.h"

#include <string.h>

static swp_status take_part(swp_context *ctx, swp_context *scratch, swp_problem_text *rest,
                            swp_certificate_parts *out)
{
    swp_certificate certificate;
    swp_certificate_part part = {.text = *rest};
    char *name = NULL;
    SWP_TRY(swp_certify_take(scratch, rest, &certificate));
    SWP_TRY(swp_copy_text(ctx, certificate.name, strlen(certificate.name), &name));
    part.name = name;
    part.text.length = (size_t)(rest->text - part.text.text);
    return SWP_PUSH(ctx, out, part);
}

swp_status swp_certificate_split(swp_context *ctx, const char *text, size_t length,
                                 const char *file, swp_certificate_parts *out)
{
    SWP_REQUIRE(ctx, ctx && (text || length == 0) && out);
    text = text ? text : "";
    swp_problem_text rest = {text, length, {file, 1, 1}};
    while (rest.length > 0) {
        swp_context scratch;
        SWP_TRY(swp_scope_open(ctx, &scratch));
        const swp_status status = take_part(ctx, &scratch, &rest, out);
        swp_scope_close(&scratch);
        SWP_TRY(status);
    }
    return SWP_OK;
}
