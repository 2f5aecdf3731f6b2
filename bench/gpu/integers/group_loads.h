/* SPDX-License-Identifier: Apache-2.0 */
/* vmcnt is the number of cp.async groups: a load commits one, and so does a store, an empty one. */
#ifndef SWP_BENCH_GROUP_LOADS_H
#define SWP_BENCH_GROUP_LOADS_H

namespace
{

class group_loads
{
  public:
    __device__ __forceinline__ void begin()
    {
    }

    __device__ __forceinline__ void end()
    {
        asm volatile("cp.async.wait_all;" ::: "memory");
    }

    /* An access that moves nothing to shared memory. */
    __device__ __forceinline__ void count()
    {
        asm volatile("cp.async.commit_group;" ::: "memory");
    }

    /* FROM is where the inputs of the place begin. */
    __device__ __forceinline__ void copy(uint4 *place, const uint4 *from)
    {
#pragma unroll
        for (int q = 0; q < CHUNKS; q++)
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                             shared_address(place + q * THREADS + threadIdx.x)),
                         "l"(from + q * THREADS + threadIdx.x)
                         : "memory");
        count();
    }
};

typedef group_loads loads;

} // namespace

/* What the headers for sm_80 define by themselves, those for sm_90 leave to the kernel. */
#ifdef DEFINE_WAITS
#define SWP_WAIT_VM(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")
#define SWP_WAIT_LGKM(n) ((void)0)
#define SWP_BARRIER() meet()
#endif

#endif
