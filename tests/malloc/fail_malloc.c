/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded, runs a program again and again and makes another allocation fail each time.
 *
 * Before main() it reads requests from file descriptor SWP_FAIL_REQUESTS: an allocation to fail,
 * counted from 1, as a long; negative where all later ones fail too; 0 where none does, and the calls
 * that each came by are told in the file SWP_FAIL_STACKS, a hash of 8 bytes. For each it forks, lets the
 * child run the program with the files SWP_FAIL_OUT and SWP_FAIL_ERR as its output, and answers on
 * SWP_FAIL_ANSWERS with two longs: the status of waitpid() and whether the allocation came.
 * The allocations of the C library count too: strdup(), open_memstream() and the like end here.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_SECONDS = 60, MOST_CALLS = 32 };

static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static int (*real_posix_memalign)(void **, size_t, size_t);
static void *(*real_aligned_alloc)(size_t, size_t);
static void (*real_free)(void *);

static long fail_at; /* 0: none */
static bool fail_on;
static long seen;
static int stacks = -1; /* where the stacks are told */
static long *reached;   /* shared with the child */

/* What is allocated before the real functions are known, by dlsym() and for C++'s exceptions; never given
 * back. */
static char early[1 << 18];
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

static void tell_stack(void)
{
    void *calls[MOST_CALLS];
    const int count = backtrace(calls, MOST_CALLS);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < count; i++)
        hash = (hash ^ (uint64_t)(uintptr_t)calls[i]) * UINT64_C(0x100000001b3);
    if (write(stacks, &hash, sizeof hash) != sizeof hash)
        _exit(124);
}

static bool must_fail(void)
{
    if (stacks >= 0)
        tell_stack();
    if (fail_at == 0)
        return false;
    seen++;
    if (seen != fail_at && !(fail_on && seen > fail_at))
        return false;
    *reached = 1;
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
    if (!real_malloc || is_early(memory))
        abort();
    return must_fail() ? NULL : real_realloc(memory, bytes);
}

void *reallocarray(void *memory, size_t count, size_t bytes)
{
    size_t product = 0;
    if (__builtin_mul_overflow(count, bytes, &product)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(memory, product);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    return must_fail() ? ENOMEM : real_posix_memalign(memory, alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return must_fail() ? NULL : real_aligned_alloc(alignment, bytes);
}

void free(void *memory)
{
    if (real_free && !is_early(memory))
        real_free(memory);
}

static void find_real_functions(void)
{
    *(void **)&real_free = dlsym(RTLD_NEXT, "free");
    *(void **)&real_calloc = dlsym(RTLD_NEXT, "calloc");
    *(void **)&real_realloc = dlsym(RTLD_NEXT, "realloc");
    *(void **)&real_posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
    *(void **)&real_aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
    *(void **)&real_malloc = dlsym(RTLD_NEXT, "malloc");
}

static int opened(const char *variable)
{
    const char *path = getenv(variable);
    const int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    if (fd < 0)
        _exit(120);
    return fd;
}

static void redirect(int to, const char *variable)
{
    const int fd = opened(variable);
    if (dup2(fd, to) != to || close(fd) != 0)
        _exit(120);
}

static void become_the_program(long request)
{
    redirect(STDOUT_FILENO, "SWP_FAIL_OUT");
    redirect(STDERR_FILENO, "SWP_FAIL_ERR");
    (void)alarm(MOST_SECONDS);
    fail_at = labs(request);
    fail_on = request < 0;
    if (request == 0)
        stacks = opened("SWP_FAIL_STACKS");
}

static int descriptor(const char *variable)
{
    const char *text = getenv(variable);
    return text ? atoi(text) : -1;
}

__attribute__((constructor)) static void serve(void)
{
    find_real_functions();
    void *first_call = NULL;
    (void)backtrace(&first_call, 1); /* allocates the first time */
    const int requests = descriptor("SWP_FAIL_REQUESTS");
    const int answers = descriptor("SWP_FAIL_ANSWERS");
    reached =
        mmap(NULL, sizeof *reached, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (requests < 0 || answers < 0 || reached == MAP_FAILED)
        _exit(121);
    long request = 0;
    while (read(requests, &request, sizeof request) == sizeof request) {
        *reached = 0;
        const pid_t child = fork();
        if (child == 0) {
            (void)close(requests);
            (void)close(answers);
            become_the_program(request);
            return;
        }
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child)
            _exit(122);
        const long answer[2] = {status, *reached};
        if (write(answers, answer, sizeof answer) != sizeof answer)
            _exit(123);
    }
    _exit(0);
}
