/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels behind a C interface, for times.py. */
#include "kernels.h"

extern "C" int gemm_count(void)
{
    return int(sizeof kernels / sizeof kernels[0]);
}

extern "C" const char *gemm_name(int kernel)
{
    return kernels[kernel]->name;
}

/* @return 0, or a cudaError_t */
extern "C" int gemm_launch(int kernel, const gemm_problem *problem, void *stream)
{
    return int(kernels[kernel]->launch(problem, static_cast<cudaStream_t>(stream)));
}
