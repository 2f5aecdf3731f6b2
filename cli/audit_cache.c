/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file for each answer in the user's cache folder (XDG Base Directory Specification), named by a hash of what it is about. That
 * stands in the file as well, and is compared: a hash that two have in common gives no wrong answer.
 */
#include "audit_cache.h"

#include "swp/version.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

static uint64_t hash_of(const char *bytes, size_t length)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

static void add_launch(FILE *stream, const swp_audit_launch *launch)
{
    (void)fprintf(stream, "kernel %s\n", launch->kernel ? launch->kernel : "");
    for (size_t i = 0; i < launch->argument_count; i++)
        (void)fprintf(stream, "argument %s %d %d %" PRId64 "\n",
                      launch->arguments[i].name ? launch->arguments[i].name : "",
                      launch->arguments[i].param, launch->arguments[i].byte,
                      launch->arguments[i].value);
    for (size_t i = 0; i < launch->box_count; i++)
        (void)fprintf(stream, "box %s %d %d %" PRId64 "\n",
                      launch->boxes[i].name ? launch->boxes[i].name : "", launch->boxes[i].param,
                      launch->boxes[i].byte, launch->boxes[i].bytes);
    for (size_t i = 0; i < launch->name_count; i++)
        (void)fprintf(stream, "name %s\n", launch->names[i]);
    for (int d = 0; d < 3; d++)
        (void)fprintf(stream, "%d %d %d %d\n", launch->grid[d], launch->block[d],
                      launch->work_group[d], launch->cluster[d]);
    (void)fprintf(stream, "%d %d %" PRId64 "\n", launch->one_work_group, launch->has_shared,
                  launch->shared);
}

/* Of one version there may be several programs, while it is worked on. */
static void add_program(FILE *stream)
{
    struct stat about;
    if (stat("/proc/self/exe", &about) == 0)
        (void)fprintf(stream, "%jd %jd.%ld\n", (intmax_t)about.st_size,
                      (intmax_t)about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
}

char *audit_cache_key(const cli_invocation *invocation, const cli_source *text,
                      uint32_t changed_rules, size_t *length)
{
    char *key = NULL;
    if (invocation->no_cache || invocation->time_limit > 0 || invocation->work_seconds > 0 ||
        invocation->work_limit > 0 || invocation->advice)
        return NULL;
    FILE *stream = open_memstream(&key, length);
    if (!stream)
        return NULL;
    (void)fprintf(stream, "swp %s\nfirst %d\nrules %" PRIu32 "\n", swp_version(), invocation->first,
                  changed_rules);
    add_program(stream);
    add_launch(stream, &invocation->launch);
    (void)fwrite(text->text, 1, text->length, stream);
    if (fclose(stream) == 0)
        return key;
    free(key);
    return NULL;
}

static void append(char path[PATH_SIZE], const char *part)
{
    const size_t length = strlen(path);
    (void)snprintf(path + length, PATH_SIZE - length, "%s", part);
}

/* The folder, made where it is missing and `makes` says so; false: there is none. */
static bool find_folder(bool makes, char path[PATH_SIZE])
{
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    int written = 0;
    if (cache && cache[0] == '/')
        written = snprintf(path, PATH_SIZE, "%s", cache);
    else if (home && home[0] == '/')
        written = snprintf(path, PATH_SIZE, "%s/.cache", home);
    if (written <= 0 || written > PATH_SIZE - 64)
        return false;
    static const char *const parts[] = {"", "/swp", "/audit"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        append(path, parts[i]);
        if (makes && mkdir(path, 0700) != 0 && errno != EEXIST)
            return false;
    }
    return true;
}

static bool find_file(const char *key, size_t length, bool makes, char path[PATH_SIZE])
{
    char name[32];
    if (!find_folder(makes, path))
        return false;
    (void)snprintf(name, sizeof name, "/%016" PRIx64, hash_of(key, length));
    append(path, name);
    return true;
}

/* The key, a zero, the answer in JSON. */
static char *read_answer(const char *path, const char *key, size_t length, size_t *count)
{
    struct stat about;
    FILE *stream = fopen(path, "rb");
    char *text = NULL;
    if (!stream)
        return NULL;
    if (fstat(fileno(stream), &about) == 0 && (size_t)about.st_size > length + 1)
        text = malloc((size_t)about.st_size);
    const bool whole = text &&
                       fread(text, 1, (size_t)about.st_size, stream) == (size_t)about.st_size &&
                       memcmp(text, key, length) == 0 && text[length] == '\0';
    (void)fclose(stream);
    if (!whole) {
        free(text);
        return NULL;
    }
    *count = (size_t)about.st_size - length - 1;
    memmove(text, text + length + 1, *count);
    return text;
}

bool audit_cache_find(swp_context *ctx, const char *key, size_t length, const char *file,
                      swp_audit_report *out)
{
    char path[PATH_SIZE];
    size_t count = 0;
    if (!find_file(key, length, false, path))
        return false;
    char *text = read_answer(path, key, length, &count);
    const bool found = text && swp_audit_read(ctx, text, count, file, out) == SWP_OK;
    free(text);
    return found;
}

/* Written beside its place and then put there, so that no other process reads a half. */
void audit_cache_keep(swp_context *ctx, const char *key, size_t length,
                      const swp_audit_report *report)
{
    char path[PATH_SIZE];
    char beside[PATH_SIZE + 32];
    char *text = NULL;
    size_t count = 0;
    if (!report->kernels.count || !find_file(key, length, true, path) ||
        swp_audit_json(ctx, report, &text, &count) != SWP_OK)
        return;
    (void)snprintf(beside, sizeof beside, "%s.XXXXXX", path);
    const int fd = mkstemp(beside);
    FILE *stream = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (!stream)
        return;
    const bool written = fwrite(key, 1, length, stream) == length && fputc('\0', stream) == 0 &&
                         fwrite(text, 1, count, stream) == count;
    if (fclose(stream) != 0 || !written || rename(beside, path) != 0)
        (void)remove(beside);
}
