/* SPDX-License-Identifier: Apache-2.0 */
#include "faulty.h"

#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "random.h"

#include <jansson.h>

enum { MOST_ALLOCATIONS = 5000 };

static size_t padding;
static faulty_memory of_jansson;

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

static void *allocate_for_jansson(size_t bytes)
{
    return allocate(&of_jansson, bytes);
}

static void release_for_jansson(void *pointer)
{
    if (pointer)
        release(&of_jansson, pointer);
}

size_t faulty_padding(void)
{
    return padding;
}

/* With the allocations of either failing. Whether one did. */
static bool fails(faulty_path *path, faulty_memory *own, faulty_memory *other)
{
    const swp_allocator allocator = faulty_allocator(own);
    swp_context *ctx = swp_context_new(&allocator);
    swp_status status = SWP_OUT_OF_MEMORY;
    if (ctx) {
        status = swp_context_take(ctx, padding) ? path(ctx) : SWP_OUT_OF_MEMORY;
        if (status == SWP_OUT_OF_MEMORY)
            assert_diag(ctx, "E0001", NULL);
        else
            assert_ok(ctx, status);
        swp_context_free(ctx);
    }
    assert_int_equal(own->live, 0);
    assert_int_equal(other->live, 0);
    /* An allocation that is not needed after all may fail without harm. */
    assert_true(status == SWP_OK || own->failed + other->failed > 0);
    return own->failed + other->failed > 0;
}

static void fail_each(faulty_path *path, bool once)
{
    for (size_t n = 1; n < MOST_ALLOCATIONS; n++) {
        faulty_memory memory = {.fail_at = n, .fail_once = once};
        if (!fails(path, &memory, &of_jansson))
            return;
    }
    fail_msg("the path never succeeds");
}

static void fail_each_of_jansson(faulty_path *path, bool once)
{
    const size_t step = 10 / random_sample(10) | 1;
    for (size_t n = 1; n < MOST_ALLOCATIONS; n += step) {
        faulty_memory memory = {0};
        of_jansson = (faulty_memory){.fail_at = n, .fail_once = once};
        if (!fails(path, &memory, &of_jansson))
            return;
    }
    fail_msg("jansson never has enough");
}

void faulty_each(faulty_path *path, size_t paddings)
{
    const size_t step = FAULTY_MOST_PADDING / random_sample(paddings) | 1;
    for (padding = 0; padding < FAULTY_MOST_PADDING; padding += step) {
        fail_each(path, false);
        fail_each(path, true);
    }
}

void faulty_each_of_jansson(faulty_path *path)
{
    padding = 0;
    json_set_alloc_funcs(allocate_for_jansson, release_for_jansson);
    fail_each_of_jansson(path, false);
    fail_each_of_jansson(path, true);
    json_set_alloc_funcs(malloc, free);
    of_jansson = (faulty_memory){0};
}
