/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernels/cuda/ptx.h for a CPU. A copy that is in flight lands when the emulator's timing says so: as
 * it is issued, or not before the wait that retires its group.
 */
#ifndef TEST_CUDA_PTX_H
#define TEST_CUDA_PTX_H

#include <cstdint>
#include <cuda_runtime.h>
#include <functional>

char *dynamic_shared();
uint32_t shared_address(const void *generic);
void copy_async(uint32_t shared, const void *global);
void copy_async(uint32_t shared, const void *global, int bytes);
void commit_group();
void wait_groups(int newest);
uint4 load_global(const void *global);
uint16_t load_element(const void *global);
void store_shared(uint32_t shared, const uint4 &chunk);
void load_matrices(uint32_t (&to)[4], uint32_t shared);
void mma(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1);

void run_grid(unsigned blocks, int threads, int shared_bytes, const std::function<void()> &thread);

template <class... Parameters>
cudaError_t launch_kernel(void (*kernel)(Parameters...), unsigned blocks, int threads,
                          int shared_bytes, cudaStream_t, Parameters... arguments)
{
    run_grid(blocks, threads, shared_bytes, [=] { kernel(arguments...); });
    return cudaSuccess;
}

#endif
