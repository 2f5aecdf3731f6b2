/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the terminal sequences of each tone, and says whether a context asks for tones. */
#include "swp/tone.h"

#include "base/context.h"
#include "base/names.h"
#include "base/require.h"

const char *swp_tone_escape(swp_tone tone)
{
#define ESCAPE(constant, number, escape, meaning) escape,
    static const char *const escapes[] = {SWP_TONES(ESCAPE)};
#undef ESCAPE
    return (size_t)tone < SWP_COUNT_OF(escapes) ? escapes[tone] : "";
}

void swp_context_set_color(swp_context *ctx, bool color)
{
    SWP_REQUIRE_OR(, ctx);
    ctx->color = color;
}
