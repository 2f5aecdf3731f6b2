/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What becomes of a sum before it is stored. An epilogue of one's own is a class like these, made in the
 * kernel from epilogue_arguments: its operator() gets the sum and its column, for each element once.
 */
#ifndef SWP_KERNELS_CUDA_HOPPER_EPILOGUE_H
#define SWP_KERNELS_CUDA_HOPPER_EPILOGUE_H

#include "swp_kernels.h"

#include <cuda_bf16.h>

struct epilogue_arguments {
    explicit epilogue_arguments(const swp_gemm &g)
        : scale_a(g.scale_a), scale_b(g.scale_b), bias(static_cast<const __nv_bfloat16 *>(g.bias)),
          columns(g.n), activation(g.activation)
    {
    }

    const float *scale_a, *scale_b;
    const __nv_bfloat16 *bias;
    int columns;
    swp_activation activation;
};

namespace
{

class nothing
{
  public:
    __device__ __forceinline__ explicit nothing(const epilogue_arguments &)
    {
    }
    __device__ __forceinline__ float operator()(float sum, int) const
    {
        return sum;
    }
};

class scale_bias_activation
{
  public:
    __device__ __forceinline__ explicit scale_bias_activation(const epilogue_arguments &given)
        : given_(given),
          scale_((given.scale_a ? *given.scale_a : 1) * (given.scale_b ? *given.scale_b : 1))
    {
    }
    __device__ __forceinline__ float operator()(float sum, int column) const
    {
        float x = sum * scale_;
        if (given_.bias && column < given_.columns)
            x += __bfloat162float(given_.bias[column]);
        switch (given_.activation) {
        case SWP_ACTIVATION_RELU:
            return x < 0 ? 0 : x; /* NaN stays */
        case SWP_ACTIVATION_GELU:
            return x * normcdff(x);
        case SWP_ACTIVATION_SILU:
            return x / (1 + __expf(-x));
        default:
            return x;
        }
    }

  private:
    const epilogue_arguments &given_;
    float scale_;
};

} // namespace

#endif
