# SPDX-License-Identifier: Apache-2.0
"""The kernels of libswp_kernels.so on PyTorch tensors.

>>> import swp_kernels                                   # doctest: +SKIP
>>> c = swp_kernels.gemm(a, b, bias=bias, activation="gelu")  # doctest: +SKIP
>>> o, lse = swp_kernels.attention(q, k, v, causal=True)      # doctest: +SKIP

SWP_KERNELS names the library; without it, it lies beside this file.
"""
import ctypes
import itertools
import os
import pathlib

import torch

ACTIVATIONS = {"none": 0, "relu": 1, "gelu": 2, "silu": 3}


class _Gemm(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("m", "n", "k")]
    _fields_ += [(name, ctypes.c_void_p) for name in ("a", "b", "c")]
    _fields_ += [(name, ctypes.c_int64) for name in ("lda", "ldb", "ldc")]
    _fields_ += [(name, ctypes.c_void_p) for name in ("scale_a", "scale_b", "bias")]
    _fields_ += [("activation", ctypes.c_int)]


class _Attention(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("batches", "heads", "queries", "keys", "head_dim")]
    _fields_ += [(name, ctypes.c_void_p) for name in "qkvo"]
    _fields_ += [(f"{name}_strides", ctypes.c_int64 * 3) for name in "qkvo"]
    _fields_ += [("log_sum_exp", ctypes.c_void_p), ("scale", ctypes.c_float), ("causal", ctypes.c_bool)]


def _load():
    path = os.environ.get("SWP_KERNELS", pathlib.Path(__file__).with_name("libswp_kernels.so"))
    library = ctypes.CDLL(os.path.abspath(path))  # a name without a slash would be looked for in the system's folders
    library.swp_kernels_error.restype = library.swp_gemm_variant_name.restype = ctypes.c_char_p
    return library


_library = _load()


def _check(error):
    if error:
        rule = _library.swp_kernels_error().decode()
        raise ValueError(rule) if rule else RuntimeError(f"CUDA error {error}")


def _address(tensor):
    return None if tensor is None else tensor.data_ptr()


def _check_device(*tensors):
    """The library takes addresses, and launches on the current device."""
    if any(t is not None and (not t.is_cuda or t.device.index != torch.cuda.current_device()) for t in tensors):
        raise ValueError("all tensors are on the current CUDA device")


def _stream():
    return ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)


def gemm_variants():
    """The names of the kernels that gemm() has, which begin with bf16, e4m3 or e4m3_promoted."""
    names = map(_library.swp_gemm_variant_name, itertools.count())
    return [name.decode() for name in itertools.takewhile(bool, names)]


def gemm(a, b, out=None, scale_a=None, scale_b=None, bias=None, activation="none", fast_sums=True,
         variant=None):
    """activation(scale_a * scale_b * a @ b.T + bias) in bf16: a is m x k and b n x k, both bf16 or float8_e4m3fn.

    Scales are float32 tensors of one element, bias is bf16. fast_sums: fp8 products are summed by the matrix
    unit alone, else in fp32 after every 128 of k. ValueError says which rule the operands break. variant: one
    of gemm_variants(), which else the sizes and fast_sums choose.
    """
    (m, k), n = a.shape, b.shape[0]
    if b.shape[1] != k or a.dtype != b.dtype or a.stride(1) != 1 or b.stride(1) != 1:
        raise ValueError("a and b are rows of the same k elements of one type")
    if out is None:
        out = torch.empty((m, n), device=a.device, dtype=torch.bfloat16)
    if out.shape != (m, n) or out.dtype != torch.bfloat16 or out.stride(1) != 1:
        raise ValueError("out is m rows of n bfloat16")
    for scale in (scale_a, scale_b):
        if scale is not None and (scale.numel() != 1 or scale.dtype != torch.float32):
            raise ValueError("scales are one float32 each")
    if bias is not None and (bias.shape != (n,) or bias.dtype != torch.bfloat16 or bias.stride(0) != 1):
        raise ValueError("bias is n bfloat16")
    if activation not in ACTIVATIONS:
        raise ValueError(f"activation is one of {', '.join(ACTIVATIONS)}")
    _check_device(a, b, out, scale_a, scale_b, bias)
    g = _Gemm(m, n, k, _address(a), _address(b), _address(out), a.stride(0), b.stride(0), out.stride(0),
              _address(scale_a), _address(scale_b), _address(bias), ACTIVATIONS[activation])
    kind = {torch.bfloat16: "bf16", torch.float8_e4m3fn: "e4m3"}.get(a.dtype)
    if kind is None:
        raise ValueError("a and b are bfloat16 or float8_e4m3fn")
    if variant is not None and not variant.startswith(kind):
        raise ValueError(f"{variant} is for another type")
    if variant is not None:
        _check(_library.swp_gemm_variant(variant.encode(), ctypes.byref(g), _stream()))
    elif kind == "bf16":
        _check(_library.swp_gemm_bf16(ctypes.byref(g), _stream()))
    else:
        _check(_library.swp_gemm_e4m3(ctypes.byref(g), 0 if fast_sums else 1, _stream()))
    return out


def attention(q, k, v, causal=False, scale=None, out=None, log_sum_exp=False):
    """softmax(scale * q @ k.T) @ v for each head of each batch; q, k and v are [batch, head, position, 64 or 128].

    Returns the result and, if asked for, the log-sum-exp of each query, else None.
    """
    batches, heads, queries, head_dim = q.shape
    if any(t.dtype != torch.bfloat16 or t.stride(3) != 1 for t in (q, k, v)):
        raise ValueError("q, k and v are bfloat16 and their last dimension runs fastest")
    if k.shape != (batches, heads, k.shape[2], head_dim) or v.shape != k.shape:
        raise ValueError("k and v have the batches, heads and head_dim of q, and as many positions")
    if out is None:
        out = torch.empty_like(q)
    if out.shape != q.shape or out.dtype != torch.bfloat16 or out.stride(3) != 1:
        raise ValueError("out is like q")
    _check_device(q, k, v, out)
    sums = torch.empty((batches, heads, queries), device=q.device) if log_sum_exp else None
    strides = [(ctypes.c_int64 * 3)(*t.stride()[:3]) for t in (q, k, v, out)]
    a = _Attention(batches, heads, queries, k.shape[2], head_dim, *map(_address, (q, k, v, out)), *strides,
                   _address(sums), head_dim**-0.5 if scale is None else scale, causal)
    _check(_library.swp_attention_forward(ctypes.byref(a), _stream()))
    return out, sums
