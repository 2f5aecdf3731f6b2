/* SPDX-License-Identifier: Apache-2.0 */
/* Packs and unpacks the fields of s_waitcnt. */
#include "target/gfx9.h"

static const swp_gfx9_field fields[] = {
#define ROW(counter, name, most, low, low_bits, high, high_bits)                                   \
    {name, most, low, low_bits, high, high_bits},
    SWP_GFX9_COUNTERS(ROW)
#undef ROW
};

#define FILLS_ITS_BITS(counter, name, most, low, low_bits, high, high_bits)                        \
    _Static_assert((most) == (1 << ((low_bits) + (high_bits))) - 1, name);
SWP_GFX9_COUNTERS(FILLS_ITS_BITS)
#undef FILLS_ITS_BITS

const swp_gfx9_field *swp_target_gfx9_field_of(swp_gfx9_counter counter)
{
    return &fields[counter];
}

static unsigned ones(int bits)
{
    return (1U << bits) - 1;
}

unsigned swp_target_gfx9_set_count(unsigned code, swp_gfx9_counter counter, int count)
{
    const swp_gfx9_field *f = &fields[counter];
    const unsigned low = (unsigned)count & ones(f->low_bits);
    const unsigned high = (unsigned)count >> f->low_bits & ones(f->high_bits);
    code &= ~(ones(f->low_bits) << f->low | ones(f->high_bits) << f->high);
    return code | low << f->low | high << f->high;
}

int swp_target_gfx9_count_of(unsigned code, swp_gfx9_counter counter)
{
    const swp_gfx9_field *f = &fields[counter];
    const unsigned high = code >> f->high & ones(f->high_bits);
    return (int)((code >> f->low & ones(f->low_bits)) | high << f->low_bits);
}

unsigned swp_target_gfx9_no_wait(void)
{
    unsigned code = 0;
    for (int c = 0; c < SWP_GFX9_COUNTER_COUNT; c++)
        code = swp_target_gfx9_set_count(code, (swp_gfx9_counter)c, fields[c].most);
    return code;
}
