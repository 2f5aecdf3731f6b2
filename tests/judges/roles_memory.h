/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the judge of warp roles: a test that has none left ends. */
#ifndef TEST_JUDGES_ROLES_MEMORY_H
#define TEST_JUDGES_ROLES_MEMORY_H

#include <stdlib.h>

/* Zeros. */
static inline void *role_take(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (!memory)
        abort();
    return memory;
}

/* The same items with room for one more. */
static inline void *role_room(void *items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return items;
    *capacity = *capacity ? 2 * *capacity : 16;
    items = realloc(items, *capacity * size);
    if (!items)
        abort();
    return items;
}

#endif
