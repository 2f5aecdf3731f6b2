/* SPDX-License-Identifier: Apache-2.0 */
/* An allocator that counts, and that fails when asked to. */
#ifndef TEST_SUPPORT_FAULTY_H
#define TEST_SUPPORT_FAULTY_H

#include "swp/context.h"

typedef struct faulty_memory {
    size_t fail_at; /* the allocation that fails, and all after it; 0: none */
    bool fail_once; /* only that one fails */
    size_t asked;
    size_t failed;
    size_t live;
} faulty_memory;

swp_allocator faulty_allocator(faulty_memory *memory);

#endif
