/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/cuda/hopper/tensor_copies.h for a CPU, and the primitives of the schedules' headers. */
#ifndef TEST_CUDA_HOPPER_TENSOR_COPIES_H
#define TEST_CUDA_HOPPER_TENSOR_COPIES_H

#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

using cuuint64_t = uint64_t;
struct tensor {
    const void *at;
    int dimensions;
    cuuint64_t sizes[4];
    cuuint64_t strides[4];
};

struct CUtensorMap {
    tensor of;
    int element_bytes, rows, row_bytes;
};

template <class ELEMENT>
cudaError_t make_tensor_map(CUtensorMap *map, const tensor &t, int rows, int row_bytes)
{
    *map = {t, int(sizeof(ELEMENT)), rows, row_bytes};
    return cudaSuccess;
}

unsigned char *dynamic_shared();
void start_copy(uint32_t shared, const CUtensorMap *map, const int (&first)[4], uint32_t mbarrier);
inline void copy_box(uint32_t shared, const CUtensorMap *map, int column, int row,
                     uint32_t mbarrier)
{
    start_copy(shared, map, {column, row, 0, 0}, mbarrier);
}
inline void copy_box(uint32_t shared, const CUtensorMap *map, int column, int row, int head,
                     int batch, uint32_t mbarrier)
{
    start_copy(shared, map, {column, row, head, batch}, mbarrier);
}
void start_multicast(unsigned ranks, uint32_t shared, const CUtensorMap *map, const int (&first)[4],
                     uint32_t mbarrier);
inline void copy_box_to(uint16_t ranks, uint32_t shared, const CUtensorMap *map, int column,
                        int row, uint32_t mbarrier)
{
    start_multicast(ranks, shared, map, {column, row, 0, 0}, mbarrier);
}
void start_store(const CUtensorMap *map, const int (&first)[4], uint32_t shared);
inline void store_box(const CUtensorMap *map, int column, int row, uint32_t shared)
{
    start_store(map, {column, row, 0, 0}, shared);
}

void store_word(uint32_t shared, uint32_t word);
inline void store_matrices(uint32_t shared, const uint32_t (&pairs)[4])
{
    const int lane = int(threadIdx.x) % 32;
    for (int i = 0; i < 4; i++)
        store_word(shuffle(shared, i * 8 + lane / 4) + uint32_t(lane % 4 * 4), pairs[i]);
}

uint32_t shared_address(const void *generic);
void mbarrier_init(unsigned long long *mbarrier, int arrivals);
void mbarrier_init_fence();
void mbarrier_arrive(unsigned long long *mbarrier, int bytes);
void mbarrier_arrive_rank(unsigned long long *mbarrier, int rank);
void mbarrier_wait(unsigned long long *mbarrier, int parity);
void named_sync(int id, int threads);
int cluster_rank();
void cluster_arrive();
void cluster_wait();
void matrix_commit();
void matrix_wait(int newest);
void store_commit();
void store_wait_read(int newest);

#define SWP_SHARED_ADDRESS(pointer) shared_address(pointer)
#define SWP_WARP() (int(threadIdx.x) / 32)
#define SWP_ELECT(elected) ((elected) = threadIdx.x % 32 == 0)
#define SWP_LOWER_REGISTERS(n) ((void)0)
#define SWP_RAISE_REGISTERS(n) ((void)0)
#define SWP_NAMED_SYNC(id, threads) named_sync(id, threads)
#define SWP_MBARRIER_INIT(m, arrivals) mbarrier_init(m, arrivals)
#define SWP_MBARRIER_INIT_FENCE() mbarrier_init_fence()
#define SWP_MBARRIER_ARRIVE(m) mbarrier_arrive(m, 0)
#define SWP_MBARRIER_ARRIVE_EXPECT(m, bytes) mbarrier_arrive(m, bytes)
#define SWP_MBARRIER_ARRIVE_RANK(m, rank) mbarrier_arrive_rank(m, rank)
#define SWP_CLUSTER_RANK() cluster_rank()
#define SWP_CLUSTER_ARRIVE() cluster_arrive()
#define SWP_CLUSTER_WAIT() cluster_wait()
#define SWP_MBARRIER_WAIT(m, parity) mbarrier_wait(m, parity)
#define SWP_MATRIX_FENCE() ((void)0)
#define SWP_MATRIX_COMMIT() matrix_commit()
#define SWP_MATRIX_WAIT(n) matrix_wait(n)
#define SWP_FENCE_ASYNC() ((void)0)
#define SWP_BULK_COMMIT() store_commit()
#define SWP_BULK_WAIT_READ(n) store_wait_read(n)
#define SWP_BAD_TILES(ctx, n)                                                                      \
    emulator_fail("a number of iterations that the schedule does not take")

#endif
