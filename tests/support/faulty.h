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

/* Something that the library does; it ends well where memory is enough. */
typedef swp_status faulty_path(swp_context *ctx);

/*
 * Lets the n-th allocation fail, for every n, and all after it or not: the path answers with
 * SWP_OUT_OF_MEMORY and E0001, or well, and gives back all that it took. The library asks for memory in
 * chunks; paddings in front move their ends, so that in the end each request is one that fails.
 */
void faulty_each(faulty_path *path, size_t paddings);

/* The same of jansson's allocations. */
void faulty_each_of_jansson(faulty_path *path);

enum { FAULTY_MOST_PADDING = 16 * 1024 };

/* Bytes of padding, for a path with memory of its own. */
size_t faulty_padding(void);

#endif
