/* SPDX-License-Identifier: Apache-2.0 */
/* What attention.cu makes of one description, and what it is given. */
#ifndef SWP_KERNELS_CUDA_HOPPER_ATTENTION_VARIANT_H
#define SWP_KERNELS_CUDA_HOPPER_ATTENTION_VARIANT_H

#include "swp_kernels.h"
#include "variant.h"

struct attention_variant {
    const char *name;
    int head_dim;
    /* Of a problem that is checked already, on so many multiprocessors. */
    cudaError_t (*launch)(const swp_attention &attention, int multiprocessors, cudaStream_t stream);
};

#define ATTENTION_DEFINE_VARIANT(name, head_dim, launch)                                           \
    extern const attention_variant SWP_EXPAND(attention_, name);                                   \
    const attention_variant SWP_EXPAND(attention_, name) = {SWP_TEXT(name), head_dim, launch};

#endif
