/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes and types of the fragments of wmma (PTX ISA 9.0, "Matrix Fragments for WMMA"). */
#include "audit/ptx/fragments.h"

#include "audit/ptx/ptx.h"
#include "base/names.h"

static const struct {
    const char *name;
    int m, n, k;
} shapes[] = {{"m16n16k16", 16, 16, 16},
              {"m32n8k16", 32, 8, 16},
              {"m8n32k16", 8, 32, 16},
              {"m16n16k8", 16, 16, 8},
              {"m8n8k4", 8, 8, 4}};

static const struct {
    const char *name;
    int bytes;
} elements[] = {{"f16", 2}, {"bf16", 2}, {"tf32", 4}, {"f32", 4},
                {"s32", 4}, {"u8", 1},   {"s8", 1},   {"f64", 8}};

bool swp_ptx_fragment_of(swp_slice name, swp_ptx_fragment *out)
{
    const bool is_a = swp_ptx_has(name, "a");
    const bool is_b = swp_ptx_has(name, "b");
    const bool stands = swp_ptx_has(name, "col");
    *out = (swp_ptx_fragment){0};
    for (size_t i = 0; i < SWP_COUNT_OF(shapes); i++) {
        const int rows = is_b ? shapes[i].k : shapes[i].m;
        const int columns = is_a ? shapes[i].k : shapes[i].n;
        if (!swp_ptx_has(name, shapes[i].name))
            continue;
        out->rows = stands ? columns : rows;
        out->row = stands ? rows : columns;
    }
    for (size_t i = 0; i < SWP_COUNT_OF(elements); i++)
        if (swp_ptx_has(name, elements[i].name))
            out->element = elements[i].bytes;
    out->row *= out->element;
    return out->row > 0;
}
