/* SPDX-License-Identifier: Apache-2.0 */
/* What wmma.load and wmma.store have of memory: rows of numbers that stand a stride apart. */
#ifndef SWP_AUDIT_PTX_FRAGMENTS_H
#define SWP_AUDIT_PTX_FRAGMENTS_H

#include "audit/code/slice.h"

typedef struct swp_ptx_fragment {
    int rows;
    int row;     /* bytes of one */
    int element; /* bytes */
} swp_ptx_fragment;

/* False: no fragment of whole bytes is known by this name. */
bool swp_ptx_fragment_of(swp_slice name, swp_ptx_fragment *out);

#endif
