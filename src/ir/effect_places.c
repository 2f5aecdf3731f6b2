/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of places as they first appear, and what they are called. */
#include "ir/effects.h"

#include <string.h>

swp_status swp_ir_effect_place(swp_context *ctx, swp_effect_places *places, swp_effect_place place,
                               int *number)
{
    const int key[] = {place.channel, place.stage, place.subtile};
    int *kept = NULL;
    *number = swp_key_index_find(&places->index, key, sizeof key);
    if (*number >= 0)
        return SWP_OK;
    *number = (int)places->count;
    SWP_TRY(SWP_TAKE(ctx, sizeof key / sizeof key[0], &kept));
    memcpy(kept, key, sizeof key);
    SWP_TRY(swp_key_index_add(ctx, &places->index, kept, sizeof key, *number));
    return SWP_PUSH(ctx, places, place);
}

const char *swp_ir_effect_value(const swp_effects *effects, const swp_effect_place *place)
{
    return effects->schedule->dataflow->loop->values[place->channel].name;
}
