/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The matrix instructions of warp groups (PTX ISA 9.0, "wgmma.mma_async" and its matrix descriptors) on tiles
 * whose rows fill 64 or 128 bytes and are swizzled by them, as tensor copies leave them. They are issued, and
 * neither fenced, committed nor awaited: all that is the schedule's.
 */
#ifndef SWP_KERNELS_CUDA_HOPPER_WGMMA_H
#define SWP_KERNELS_CUDA_HOPPER_WGMMA_H

#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp8.h>

namespace
{

/*
 * The compiler must not know where a tile lies: else it keeps the descriptors of all tiles in registers, or
 * computes them between the wgmmas of a group and then serialises those.
 */
__device__ __forceinline__ uint32_t unknown(uint32_t value)
{
    uint32_t same;
    asm volatile("mov.b32 %0, %1;" : "=r"(same) : "r"(value));
    return same;
}

/* What wgmmas in flight write must stay in this register. */
__device__ __forceinline__ void keep_register(float &sum)
{
    asm volatile("" : "+f"(sum)::"memory");
}

__device__ __forceinline__ float power_of_two(float x)
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/*
 * What `value` is made of is done before what follows: ptxas moves arithmetic beyond waits for wgmmas, which then do not run
 * beside it, but not beyond a branch. This one is never taken, as the value is not below 0, which ptxas does not know. It leads to
 * a loop, since a few instructions would become predicated ones.
 */
__device__ __forceinline__ void complete(float value)
{
    asm volatile("{\n"
                 ".reg .pred is_negative;\n"
                 "setp.lt.f32 is_negative, %0, 0f00000000;\n"
                 "@!is_negative bra done;\n"
                 "forever:\n"
                 "nanosleep.u32 1000;\n"
                 "bra forever;\n"
                 "done:\n"
                 "}" ::"f"(value)
                 : "memory");
}

__device__ __forceinline__ uint32_t pack(float low, float high)
{
    const __nv_bfloat162 both = __floats2bfloat162_rn(low, high);
    return reinterpret_cast<const uint32_t &>(both);
}

/* The descriptor of a tile, ROW_BYTES to a row; what is added to it is an offset in bytes. */
template <int ROW_BYTES> class tile_descriptor
{
  public:
    /*
     * `leading` is the distance in bytes from the 64 columns of a tile to the next 64, where these are the
     * dimension that the product does not sum over; else it means nothing.
     */
    __device__ __forceinline__ explicit tile_descriptor(uint32_t shared, uint32_t leading = 16)
        : low_(unknown((shared & 0x3ffff) >> 4 | leading >> 4 << 16))
    {
    }

    __device__ __forceinline__ uint64_t operator+(uint32_t bytes) const
    {
        constexpr uint32_t SWIZZLE = ROW_BYTES == 128 ? 1 : 2;
        constexpr uint32_t HIGH = 8 * ROW_BYTES >> 4 | SWIZZLE << 30;
        uint64_t both;
        asm("mov.b64 %0, {%1, %2};" : "=l"(both) : "r"(low_ + (bytes >> 4)), "r"(HIGH));
        return both;
    }

  private:
    uint32_t low_;
};

#define SWP_D32                                                                                    \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, "                                          \
    "%12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, "                                 \
    "%24, %25, %26, %27, %28, %29, %30, %31}"
#define SWP_D48                                                                                    \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, "                                          \
    "%12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, "                                 \
    "%24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, "                                 \
    "%36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47}"
#define SWP_D64                                                                                    \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, "                                          \
    "%12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, "                                 \
    "%24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, "                                 \
    "%36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "                                 \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, "                                 \
    "%60, %61, %62, %63}"
#define SWP_D128                                                                                   \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, "                                          \
    "%12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, "                                 \
    "%24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, "                                 \
    "%36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "                                 \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, "                                 \
    "%60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, "                                 \
    "%72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, "                                 \
    "%84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "                                 \
    "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, "                         \
    "%108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, "                     \
    "%120, %121, %122, %123, %124, %125, %126, %127}"
#define SWP_R4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SWP_R16(i) SWP_R4(i), SWP_R4(i + 4), SWP_R4(i + 8), SWP_R4(i + 12)
#define SWP_R32 SWP_R16(0), SWP_R16(16)
#define SWP_R48 SWP_R32, SWP_R16(32)
#define SWP_R64 SWP_R32, SWP_R16(32), SWP_R16(48)
#define SWP_R128 SWP_R64, SWP_R16(64), SWP_R16(80), SWP_R16(96), SWP_R16(112)

/* d = a * b^T, or d += that if `add` is not 0: 64 rows of a, so many rows of b as d has columns, 32 bytes of each. */
#define SWP_WGMMA(count, a, b, adds, element, shape, more)                                         \
    __device__ __forceinline__ void wgmma(element, float(&d)[count], uint64_t tile_a,              \
                                          uint64_t tile_b, int add)                                \
    {                                                                                              \
        asm volatile("{ .reg .pred p; setp.ne.b32 p, %" #adds ", 0; "                              \
                     "wgmma.mma_async.sync.aligned." shape " " SWP_D##count ", %" #a ", %" #b      \
                                                                            ", p, 1, 1" more "; }" \
                     : SWP_R##count                                                                \
                     : "l"(tile_a), "l"(tile_b), "r"(add)                                          \
                     : "memory");                                                                  \
    }
SWP_WGMMA(128, 128, 129, 130, __nv_bfloat16, "m64n256k16.f32.bf16.bf16", ", 0, 0")
SWP_WGMMA(64, 64, 65, 66, __nv_bfloat16, "m64n128k16.f32.bf16.bf16", ", 0, 0")
SWP_WGMMA(32, 32, 33, 34, __nv_bfloat16, "m64n64k16.f32.bf16.bf16", ", 0, 0")
SWP_WGMMA(128, 128, 129, 130, __nv_fp8_e4m3, "m64n256k32.f32.e4m3.e4m3", "")
SWP_WGMMA(64, 64, 65, 66, __nv_fp8_e4m3, "m64n128k32.f32.e4m3.e4m3", "")
SWP_WGMMA(48, 48, 49, 50, __nv_fp8_e4m3, "m64n96k32.f32.e4m3.e4m3", "")

/* d += a * b: a is in registers, 64 rows of 16; b has 16 rows, whose columns run fastest. */
#define SWP_WGMMA_REGISTERS(count, a0, a1, a2, a3, b, shape)                                       \
    __device__ __forceinline__ void wgmma_registers(float(&d)[count], const uint32_t *a,           \
                                                    uint64_t tile_b)                               \
    {                                                                                              \
        asm volatile("wgmma.mma_async.sync.aligned." shape " " SWP_D##count                        \
                     ", {%" #a0 ", %" #a1 ", %" #a2 ", %" #a3 "}, %" #b ", 1, 1, 1, 1;"            \
                     : SWP_R##count                                                                \
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(tile_b)                     \
                     : "memory");                                                                  \
    }
SWP_WGMMA_REGISTERS(64, 64, 65, 66, 67, 68, "m64n128k16.f32.bf16.bf16")
SWP_WGMMA_REGISTERS(32, 32, 33, 34, 35, 36, "m64n64k16.f32.bf16.bf16")

} // namespace

#endif
