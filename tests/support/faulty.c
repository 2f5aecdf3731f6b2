/* SPDX-License-Identifier: Apache-2.0 */
#include "faulty.h"

#include <stdlib.h>
#include <string.h>

static void *allocate(void *user, size_t bytes)
{
    faulty_memory *memory = user;
    memory->asked++;
    const bool fails =
        memory->fail_at > 0 &&
        (memory->fail_once ? memory->asked == memory->fail_at : memory->asked >= memory->fail_at);
    if (fails) {
        memory->failed++;
        return NULL;
    }
    void *taken = malloc(bytes);
    if (!taken)
        abort();
    /* What the library does not set must not look set. */
    memset(taken, 0xa5, bytes);
    memory->live++;
    return taken;
}

static void release(void *user, void *pointer)
{
    faulty_memory *memory = user;
    memory->live--;
    free(pointer);
}

swp_allocator faulty_allocator(faulty_memory *memory)
{
    return (swp_allocator){allocate, release, memory};
}
