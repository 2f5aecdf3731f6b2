// SPDX-License-Identifier: Apache-2.0
/* The wgmma of kernels whose warp groups have 64 rows and 256 columns of C each. */
#ifndef GEMM_256_H
#define GEMM_256_H

#define FOUR(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SIXTEEN(i) FOUR(i), FOUR(i + 4), FOUR(i + 8), FOUR(i + 12)

/* One wgmma of 64 rows, 256 columns and a depth of 16; `adds`: to what the sums are, else to 0. */
static __device__ __forceinline__ void multiply(float (&d)[128], unsigned long long a,
                                                unsigned long long b, int adds)
{
    asm volatile("{ .reg .pred adds; setp.ne.b32 adds, %130, 0;"
                 "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
                 "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
                 "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
                 "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, "
                 "%110, %111, "
                 "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, "
                 "%125, %126, %127}, "
                 "%128, %129, adds, 1, 1, 0, 0; }"
                 : SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48), SIXTEEN(64), SIXTEEN(80),
                   SIXTEEN(96), SIXTEEN(112)
                 : "l"(a), "l"(b), "r"(adds)
                 : "memory");
}

#endif
