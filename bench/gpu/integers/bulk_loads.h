/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vmcnt is the number of accesses of a warp whose mbarrier has not completed. A load is copies by the copy
 * engine, which one lane issues for its warp's share of the place; a store counts, and is done at once.
 */
#ifndef SWP_BENCH_BULK_LOADS_H
#define SWP_BENCH_BULK_LOADS_H

namespace
{

enum { MBARRIERS = 32 }; /* of a warp: more accesses than any schedule has in flight */

__shared__ uint64_t mbarriers[THREADS / 32][MBARRIERS];

class bulk_loads
{
  public:
    __device__ __forceinline__ void begin()
    {
        issued_ = awaited_ = 0;
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(threadIdx.x % 32))
                     : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }

    __device__ __forceinline__ void end()
    {
        wait(0);
    }

    __device__ __forceinline__ void count()
    {
        next(0);
    }

    __device__ __forceinline__ void copy(uint4 *place, const uint4 *from)
    {
        const uint32_t mbarrier = next(CHUNKS * SHARE);
        const int first = int(threadIdx.x) / 32 * 32;
        if (threadIdx.x % 32 == 0)
#pragma unroll
            for (int q = 0; q < CHUNKS; q++)
                asm volatile(
                    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                    "[%0], [%1], %2, [%3];" ::"r"(shared_address(place + q * THREADS + first)),
                    "l"(from + q * THREADS + first), "r"(int(SHARE)), "r"(mbarrier)
                    : "memory");
        __syncwarp();
    }

    /* All lanes have seen a phase end before one begins the next but one, which has the same parity. */
    __device__ __forceinline__ void wait(int most)
    {
        for (; issued_ - awaited_ > most; awaited_++) {
            wait_for(address(awaited_), awaited_ / MBARRIERS & 1);
            __syncwarp();
        }
    }

  private:
    enum { SHARE = 32 * 16 }; /* bytes of a warp in a row of chunks */

    static __device__ __forceinline__ uint32_t address(int access)
    {
        return shared_address(&mbarriers[threadIdx.x / 32][access % MBARRIERS]);
    }

    static __device__ __forceinline__ void wait_for(uint32_t mbarrier, int parity)
    {
        uint32_t done;
        do
            asm volatile("{\n"
                         ".reg .pred p;\n"
                         "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                         "selp.u32 %0, 1, 0, p;\n"
                         "}\n"
                         : "=r"(done)
                         : "r"(mbarrier), "r"(parity)
                         : "memory");
        while (!done);
    }

    __device__ __forceinline__ uint32_t next(int bytes)
    {
        wait(MBARRIERS - 1);
        const uint32_t mbarrier = address(issued_++);
        if (threadIdx.x % 32 == 0)
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(mbarrier),
                         "r"(bytes)
                         : "memory");
        return mbarrier;
    }

    int issued_, awaited_;
};

typedef bulk_loads loads;

} // namespace

#define SWP_WAIT_VM(n) k.common.loads.wait(n)
#define SWP_WAIT_LGKM(n) ((void)0)
#define SWP_BARRIER() meet()

#endif
