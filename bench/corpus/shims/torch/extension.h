/* SPDX-License-Identifier: Apache-2.0 */
/* As much of PyTorch's header as host code beside kernels of the corpus names, so that it compiles without PyTorch. Nothing runs. */
#ifndef SWP_BENCH_CORPUS_TORCH_H
#define SWP_BENCH_CORPUS_TORCH_H

#include <cmath>
#include <cstdint>
#include <iostream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace torch
{

enum ScalarType { kHalf, kBFloat16, kFloat, kFloat32, kInt, kInt32, kInt8, kFloat16 };

struct TensorOptions {
    TensorOptions dtype(ScalarType) const
    {
        return *this;
    }
    TensorOptions device(int) const
    {
        return *this;
    }
    ScalarType dtype() const
    {
        return kHalf;
    }
};

inline std::ostream &operator<<(std::ostream &out, const TensorOptions &)
{
    return out;
}

struct Tensor {
    void *data_ptr() const
    {
        return nullptr;
    }
    template <typename T> T *data_ptr() const
    {
        return nullptr;
    }
    int64_t size(int) const
    {
        return 0;
    }
    int64_t dim() const
    {
        return 0;
    }
    int64_t numel() const
    {
        return 0;
    }
    TensorOptions options() const
    {
        return {};
    }
    ScalarType dtype() const
    {
        return kHalf;
    }
    ScalarType scalar_type() const
    {
        return kHalf;
    }
};

template <typename... Rest> Tensor zeros(Rest...)
{
    return {};
}
template <typename... Rest> Tensor empty(Rest...)
{
    return {};
}

} // namespace torch

namespace at = torch;

struct swp_corpus_module {
    template <typename... Rest> void def(Rest...)
    {
    }
};

#define TORCH_EXTENSION_NAME corpus
#define PYBIND11_MODULE(name, module)                                                              \
    [[maybe_unused]] static void bind_corpus(swp_corpus_module module)

#endif
