/* SPDX-License-Identifier: Apache-2.0 */
/* e4m3 as CUDA has it, for a CPU: a sign, four bits of exponent, three of fraction; no infinity. */
#ifndef TEST_CUDA_HOPPER_FP8_H
#define TEST_CUDA_HOPPER_FP8_H

#include <cmath>
#include <cstdint>

struct __nv_fp8_e4m3 {
    uint8_t bits;
};

inline float float_of(__nv_fp8_e4m3 value)
{
    const int exponent = value.bits >> 3 & 15, fraction = value.bits & 7;
    const float size = (value.bits & 0x7f) == 0x7f ? NAN
                       : exponent == 0             ? std::ldexp(float(fraction), -9)
                                                   : std::ldexp(float(8 + fraction), exponent - 10);
    return value.bits & 0x80 ? -size : size;
}

#endif
