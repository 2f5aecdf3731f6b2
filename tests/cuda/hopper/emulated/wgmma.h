/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/cuda/hopper/wgmma.h for a CPU. */
#ifndef TEST_CUDA_HOPPER_WGMMA_H
#define TEST_CUDA_HOPPER_WGMMA_H

#include <cmath>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

inline uint32_t unknown(uint32_t value)
{
    return value;
}
inline void keep_register(float &)
{
}
inline void complete(float)
{
}
inline float power_of_two(float x)
{
    return std::exp2(x);
}
inline uint32_t pack(float low, float high)
{
    const __nv_bfloat162 both = __floats2bfloat162_rn(low, high);
    uint32_t bits;
    std::memcpy(&bits, &both, sizeof bits);
    return bits;
}
inline float float_of(__nv_bfloat16 value)
{
    return __bfloat162float(value);
}

/* A tile, from an address on. */
struct place_of_tile {
    uint32_t shared, leading;
    int row_bytes;
};
template <int ROW_BYTES> class tile_descriptor
{
  public:
    explicit tile_descriptor(uint32_t shared, uint32_t leading = 16)
        : shared_(shared), leading_(leading)
    {
    }
    place_of_tile operator+(uint32_t bytes) const
    {
        return {shared_ + bytes, leading_, ROW_BYTES};
    }

  private:
    uint32_t shared_, leading_;
};

/* What one thread brings to a wgmma. */
struct product {
    float *sums;
    int columns;
    place_of_tile a, b;
    const uint32_t *a_registers; /* NULL: a is in shared memory */
    int add;
    bool is_fp8;
};
void start_product(const product &p);

template <int COUNT>
void wgmma(__nv_bfloat16, float (&sums)[COUNT], place_of_tile a, place_of_tile b, int add)
{
    start_product({sums, COUNT * 2, a, b, nullptr, add, false});
}
template <int COUNT>
void wgmma(__nv_fp8_e4m3, float (&sums)[COUNT], place_of_tile a, place_of_tile b, int add)
{
    start_product({sums, COUNT * 2, a, b, nullptr, add, true});
}
template <int COUNT> void wgmma_registers(float (&sums)[COUNT], const uint32_t *a, place_of_tile b)
{
    start_product({sums, COUNT * 2, {}, b, a, 1, false});
}

#endif
