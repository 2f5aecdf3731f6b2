/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernels/cuda/ptx_tensor.h for a CPU. A box that is in flight lands when the emulator's timing says so: as
 * it is issued, or not before somebody waits for it.
 */
#ifndef TEST_CUDA_PTX_TENSOR_H
#define TEST_CUDA_PTX_TENSOR_H

#include <cuda_bf16.h>
#include <ptx.h>

struct tensor_map {
    const __nv_bfloat16 *matrix;
    int rows, columns, stride, box_rows, box_columns;
};

inline cudaError_t make_tensor_map(tensor_map *map, const __nv_bfloat16 *matrix, int rows,
                                   int columns, int stride, int box_rows, int box_columns)
{
    *map = {matrix, rows, columns, stride, box_rows, box_columns};
    return cudaSuccess;
}

int warp_number();
void start_landings(uint32_t first, int count, int copies);
void copy_box(uint32_t shared, const tensor_map *map, int row, int column, uint32_t landing,
              int bytes);
void wait_landing(uint32_t landing, uint32_t parity);

#endif
