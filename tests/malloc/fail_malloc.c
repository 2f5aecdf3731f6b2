/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded, makes the SWP_FAIL_AT-th allocation of the process return NULL, and all later ones too
 * where SWP_FAIL_ON is set. The file SWP_FAIL_MARK is created when that happens. Allocations of the
 * C library itself count: strdup, open_memstream and the like end here.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);

static long fail_at;
static bool fail_on;
static long seen;

/* What dlsym() itself allocates before the real functions are known; never given back. */
static char early[1 << 16];
static size_t early_used;

static void *take_early(size_t bytes)
{
    const size_t rounded = (bytes + 15) / 16 * 16;
    if (rounded > sizeof early - early_used)
        abort();
    void *taken = early + early_used;
    early_used += rounded;
    return taken;
}

static bool is_early(const void *memory)
{
    return (const char *)memory >= early && (const char *)memory < early + sizeof early;
}

__attribute__((constructor)) static void start(void)
{
    const char *at = getenv("SWP_FAIL_AT");
    *(void **)&real_calloc = dlsym(RTLD_NEXT, "calloc");
    *(void **)&real_realloc = dlsym(RTLD_NEXT, "realloc");
    *(void **)&real_malloc = dlsym(RTLD_NEXT, "malloc");
    fail_on = getenv("SWP_FAIL_ON") != NULL;
    seen = 0;
    fail_at = at ? atol(at) : 0;
}

static bool must_fail(void)
{
    if (fail_at == 0)
        return false;
    seen++;
    if (seen != fail_at && !(fail_on && seen > fail_at))
        return false;
    const char *mark = getenv("SWP_FAIL_MARK");
    const int fd = mark && seen == fail_at ? open(mark, O_WRONLY | O_CREAT, 0666) : -1;
    if (fd >= 0)
        (void)close(fd);
    errno = ENOMEM;
    return true;
}

void *malloc(size_t bytes)
{
    if (!real_malloc)
        return take_early(bytes);
    return must_fail() ? NULL : real_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    if (!real_malloc)
        return take_early(count * bytes);
    return must_fail() ? NULL : real_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    if (!real_malloc)
        abort();
    return must_fail() ? NULL : real_realloc(memory, bytes);
}

void free(void *memory)
{
    static void (*real_free)(void *);
    if (!memory || is_early(memory))
        return;
    if (!real_free)
        *(void **)&real_free = dlsym(RTLD_NEXT, "free");
    real_free(memory);
}

/* The shim stands for these too, so that no allocation passes it by. */
void *reallocarray(void *memory, size_t count, size_t bytes)
{
    if (bytes && count > (size_t)-1 / bytes) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(memory, count * bytes);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    static int (*real)(void **, size_t, size_t);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "posix_memalign");
    return must_fail() ? ENOMEM : real(memory, alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    static void *(*real)(size_t, size_t);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "aligned_alloc");
    return must_fail() ? NULL : real(alignment, bytes);
}
