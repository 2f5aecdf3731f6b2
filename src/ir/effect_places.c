/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of places as they first appear, and what they are called. */
#include "ir/effects.h"

swp_status swp_ir_effect_place(swp_context *ctx, swp_effect_places *places, swp_effect_place place,
                               int *number)
{
    const int key[] = {place.channel, place.stage, place.subtile};
    const int next = (int)places->count;
    SWP_TRY(swp_key_index_number(ctx, &places->index, key, sizeof key, next, number));
    return *number == next ? SWP_PUSH(ctx, places, place) : SWP_OK;
}

const char *swp_ir_effect_value(const swp_effects *effects, const swp_effect_place *place)
{
    return effects->schedule->dataflow->loop->values[place->channel].name;
}
