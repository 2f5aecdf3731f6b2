/* SPDX-License-Identifier: Apache-2.0 */
#include "interruption.h"

static bool ask(void *user)
{
    interruption *i = user;
    i->asked++;
    return i->from > 0 && i->asked >= i->from;
}

void interrupt_with(swp_context *ctx, interruption *with)
{
    const swp_limits limits = {.interrupted = ask, .user = with};
    swp_context_set_limits(ctx, &limits);
}
