/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many wgmmas wait for the matrix unit while their warp group goes on (docs/simulation.md, "Warp roles"): a warp group
 * issues 1 to 24 of them and reads the clock, then waits for all and reads it again; by itself, and beside a warp group
 * that keeps the unit busy. What is still to be done when the last one is issued is the queue, and some 15 cycles in which
 * the last one ends.
 *
 *     nvcc -std=c++17 -O3 -gencode=arch=compute_90a,code=sm_90a -o wgmma_queue bench/gpu/wgmma_queue.cu && ./wgmma_queue
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace
{

constexpr int threads_of_group = 128, shared_bytes = 65536, busy_wgmmas = 512, begin_cycles = 4000;

__device__ long long now()
{
    long long cycles;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
    return cycles;
}

#define SUMS4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SUMS16(i) SUMS4(i), SUMS4(i + 4), SUMS4(i + 8), SUMS4(i + 12)
#define SUMS32(i) SUMS16(i), SUMS16(i + 16)
#define FIRST_32                                                                                   \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "   \
    "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define NEXT_32                                                                                    \
    ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, " \
    "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"

#define ADDING "{ .reg .pred adds; setp.ne.b32 adds, 1, 0; "

/* 64 rows, as many columns, 16 deep. */
template <int columns> __device__ void multiply(float (&d)[columns / 2], uint64_t tile)
{
    static_assert(columns == 64 || columns == 128);
    if constexpr (columns == 64)
        asm volatile(ADDING "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {" FIRST_32
                            "}, %32, %32, adds, 1, 1, 0, 0; }"
                     : SUMS32(0)
                     : "l"(tile));
    else
        asm volatile(ADDING
                     "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {" FIRST_32 NEXT_32
                     "}, %64, %64, adds, 1, 1, 0, 0; }"
                     : SUMS32(0), SUMS32(32)
                     : "l"(tile));
}

template <int columns, int count> __device__ void issue(float (&d)[columns / 2], uint64_t tile)
{
#pragma unroll
    for (int i = 0; i < count; i++)
        multiply<columns>(d, tile);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

__device__ void fence()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ void wait_for_all()
{
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

/* Cycles until all are issued, and until all are done. */
template <int columns, int count>
__global__ void __launch_bounds__(2 * threads_of_group)
    measure(long long *cycles, float *sums, bool is_beside)
{
    extern __shared__ __align__(1024) char shared[];
    for (int i = threadIdx.x; i < shared_bytes / 4; i += 2 * threads_of_group)
        reinterpret_cast<float *>(shared)[i] = 0;
    asm volatile("fence.proxy.async;" ::: "memory");
    const uint64_t at = (static_cast<uint64_t>(__cvta_generic_to_shared(shared)) & 0x3ffff) >> 4;
    const uint64_t tile =
        at | 1ull << 16 | 64ull << 32 | 1ull << 62; /* rows of 128 bytes, swizzled */
    const int group = __shfl_sync(~0u, threadIdx.x / threads_of_group, 0);
    float d[columns / 2];
#pragma unroll
    for (int i = 0; i < columns / 2; i++)
        d[i] = threadIdx.x;
    __syncthreads();
    const long long begin = now();
    /* Each group leaves its own times: of branches that end alike nvcc makes one, and ptxas then serialises the wgmmas. */
    if (group == 0) {
        if (is_beside) {
            fence();
#pragma unroll 1
            for (int i = 0; i < busy_wgmmas / 8; i++)
                issue<columns, 8>(d, tile);
            const long long issued = now();
            wait_for_all();
            const long long done = now();
            if (threadIdx.x == 0) {
                cycles[2] = issued - begin;
                cycles[3] = done - begin;
            }
        }
    } else {
        while (now() - begin < begin_cycles)
            ;
        const long long first = now();
        fence();
        issue<columns, count>(d, tile);
        const long long issued = now();
        wait_for_all();
        const long long done = now();
        if (threadIdx.x == threads_of_group) {
            cycles[0] = issued - first;
            cycles[1] = done - first;
        }
    }
    float sum = 0;
#pragma unroll
    for (int i = 0; i < columns / 2; i++)
        sum += d[i];
    if (sum == 12345.f)
        sums[threadIdx.x] = sum;
}

void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        std::fprintf(stderr, "wgmma_queue: %s\n", cudaGetErrorString(error));
        std::exit(2);
    }
}

template <int columns, int count> void report(bool is_beside)
{
    long long *cycles, found[4];
    float *sums;
    check(cudaMalloc(&cycles, sizeof found));
    check(cudaMalloc(&sums, 2 * threads_of_group * sizeof *sums));
    check(cudaFuncSetAttribute(measure<columns, count>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               shared_bytes));
    for (int i = 0; i < 3; i++)
        measure<columns, count><<<1, 2 * threads_of_group, shared_bytes>>>(cycles, sums, is_beside);
    check(cudaGetLastError());
    check(cudaMemcpy(found, cycles, sizeof found, cudaMemcpyDeviceToHost));
    check(cudaFree(cycles));
    check(cudaFree(sums));
    std::printf("%-12s %7d %6d %7lld %7lld %8.1f\n", is_beside ? "beside busy" : "alone", columns,
                count, found[0], found[1],
                static_cast<double>(found[1] - found[0]) / (columns / 2));
}

template <int columns> void report_all(bool is_beside)
{
    report<columns, 1>(is_beside);
    report<columns, 4>(is_beside);
    report<columns, 8>(is_beside);
    report<columns, 12>(is_beside);
    report<columns, 16>(is_beside);
    report<columns, 24>(is_beside);
}

} // namespace

int main()
{
    std::printf("%-12s %7s %6s %7s %7s %8s\n", "", "columns", "wgmmas", "issued", "done", "queued");
    for (const bool is_beside : {false, true}) {
        report_all<64>(is_beside);
        report_all<128>(is_beside);
    }
    return 0;
}
