/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file for each answer in the user's cache folder (XDG Base Directory Specification), named by a hash of what it is about. That
 * stands in the file as well, and is compared: a hash that two have in common gives no wrong answer. So does a hash of the answer.
 */
#include "cache.h"

#include "swp/version.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, HASH_DIGITS = 16 };

static uint64_t hash_of(const char *bytes, size_t length)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

/* --- Keys --- */

bool cache_is_on(const cli_invocation *invocation)
{
    const char *off = getenv("SWP_NO_CACHE");
    return !invocation->no_cache && invocation->time_limit <= 0 &&
           (!off || !*off || strcmp(off, "0") == 0);
}

/* Of one version there may be several programs, while it is worked on. */
static void add_program(FILE *stream)
{
    struct stat about;
    (void)fprintf(stream, "swp %s\n", swp_version());
    if (stat("/proc/self/exe", &about) == 0)
        (void)fprintf(stream, "%jd %jd.%ld\n", (intmax_t)about.st_size,
                      (intmax_t)about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
}

FILE *cache_begin_key(const char *folder, cli_cache_key *key)
{
    *key = (cli_cache_key){.folder = folder};
    FILE *stream = open_memstream(&key->text, &key->length);
    if (stream)
        add_program(stream);
    return stream;
}

void cache_end_key(FILE *stream, cli_cache_key *key)
{
    if (fclose(stream) != 0)
        cache_free_key(key);
}

void cache_free_key(cli_cache_key *key)
{
    free(key->text);
    key->text = NULL;
}

/* --- Files --- */

static void append(char path[PATH_SIZE], const char *part)
{
    const size_t length = strlen(path);
    (void)snprintf(path + length, PATH_SIZE - length, "%s", part);
}

/* The folder, made where it is missing and `makes` says so; false: there is none. */
static bool find_folder(const char *name, bool makes, char path[PATH_SIZE])
{
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    const char *const parts[] = {"", "/swp", "/", name};
    int written = 0;
    if (cache && cache[0] == '/')
        written = snprintf(path, PATH_SIZE, "%s", cache);
    else if (home && home[0] == '/')
        written = snprintf(path, PATH_SIZE, "%s/.cache", home);
    if (written <= 0 || written > PATH_SIZE - 64)
        return false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        append(path, parts[i]);
        if (makes && mkdir(path, 0700) != 0 && errno != EEXIST)
            return false;
    }
    return true;
}

static bool find_file(const cli_cache_key *key, bool makes, char path[PATH_SIZE])
{
    char name[HASH_DIGITS + 2];
    if (!key->text || !find_folder(key->folder, makes, path))
        return false;
    (void)snprintf(name, sizeof name, "/%016" PRIx64, hash_of(key->text, key->length));
    append(path, name);
    return true;
}

static char *read_whole(const char *path, size_t *length)
{
    struct stat about;
    char *text = NULL;
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return NULL;
    if (fstat(fileno(stream), &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0)
        text = malloc((size_t)about.st_size);
    if (text)
        *length = fread(text, 1, (size_t)about.st_size, stream);
    (void)fclose(stream);
    return text;
}

/* The key, a zero, the hash of the answer, the answer. */
static size_t head_of(const cli_cache_key *key)
{
    return key->length + 1 + HASH_DIGITS;
}

static bool is_answer(const cli_cache_key *key, const char *text, size_t length)
{
    char hash[HASH_DIGITS + 1];
    const size_t head = head_of(key);
    if (length < head || memcmp(text, key->text, key->length) != 0 || text[key->length] != '\0')
        return false;
    (void)snprintf(hash, sizeof hash, "%016" PRIx64, hash_of(text + head, length - head));
    return memcmp(text + key->length + 1, hash, HASH_DIGITS) == 0;
}

char *cache_find(const cli_cache_key *key, size_t *length)
{
    char path[PATH_SIZE];
    size_t whole = 0;
    char *text = find_file(key, false, path) ? read_whole(path, &whole) : NULL;
    if (!text || !is_answer(key, text, whole)) {
        free(text);
        return NULL;
    }
    *length = whole - head_of(key);
    memmove(text, text + head_of(key), *length);
    return text;
}

static bool write_answer(FILE *stream, const cli_cache_key *key, const char *answer, size_t length)
{
    const bool written = fwrite(key->text, 1, key->length, stream) == key->length &&
                         fputc('\0', stream) == 0 &&
                         fprintf(stream, "%016" PRIx64, hash_of(answer, length)) == HASH_DIGITS &&
                         fwrite(answer, 1, length, stream) == length;
    return fclose(stream) == 0 && written;
}

/* Written beside its place and then put there, so that no other process reads a half. */
void cache_keep(const cli_cache_key *key, const char *answer, size_t length)
{
    char path[PATH_SIZE];
    char beside[PATH_SIZE + 32];
    if (!find_file(key, true, path))
        return;
    (void)snprintf(beside, sizeof beside, "%s.XXXXXX", path);
    const int fd = mkstemp(beside);
    FILE *stream = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (stream && (!write_answer(stream, key, answer, length) || rename(beside, path) != 0))
        (void)remove(beside);
}
