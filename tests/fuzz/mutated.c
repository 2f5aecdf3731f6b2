/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a fuzz target without libFuzzer: on each seed, then on random edits of them.
 *
 *     mutated CORPUS [DICTIONARY]
 *
 * DICTIONARY is as libFuzzer reads it. The input of the run stands in TARGET.input, so that one that ends it is there.
 */
#include "random.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXTS = 1024, MOST_BYTES = 1 << 16, MOST_EDITS = 6 };

/* The build states fewer for a target whose inputs take a second each. */
#ifndef CASES
#define CASES 300
#endif

typedef struct text {
    unsigned char *bytes;
    size_t size;
} text;

typedef struct texts {
    text all[MOST_TEXTS];
    size_t count;
} texts;

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static const char *input_path;

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "%s: %s\n", name, what);
    exit(2);
}

static void add(texts *to, const unsigned char *bytes, size_t size)
{
    unsigned char *copy = malloc(size + 1);
    if (!copy || to->count == MOST_TEXTS)
        fail("too many texts", input_path);
    memcpy(copy, bytes, size);
    to->all[to->count++] = (text){copy, size};
}

static void add_file(texts *to, const char *path)
{
    static unsigned char bytes[MOST_BYTES];
    FILE *file = fopen(path, "rb");
    if (!file)
        fail("cannot be read", path);
    add(to, bytes, fread(bytes, 1, sizeof bytes, file));
    fclose(file);
}

static int is_seed(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* In the order of their names, so that a random seed has one meaning. */
static void add_folder(texts *to, const char *folder)
{
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, is_seed, alphasort);
    for (int i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        add_file(to, path);
        free(entries[i]);
    }
    free(entries);
    if (to->count == 0)
        fail("no seeds", folder);
}

/* The bytes of a line's quoted token. */
static void add_token(texts *to, char *line)
{
    char *from = strchr(line, '"');
    char *end = strrchr(line, '"');
    unsigned char bytes[4096];
    size_t size = 0;
    if (line[0] == '#' || !from || end == from)
        return;
    for (from++; from < end; from++) {
        unsigned code = (unsigned char)*from;
        if (*from == '\\' && from[1] == 'x' && sscanf(from + 2, "%2x", &code) == 1)
            from += 3;
        else if (*from == '\\')
            code = (unsigned char)*++from;
        bytes[size++] = (unsigned char)code;
    }
    add(to, bytes, size);
}

static void add_dictionary(texts *to, const char *path)
{
    char line[4096];
    FILE *file = fopen(path, "r");
    if (!file)
        fail("cannot be read", path);
    while (fgets(line, sizeof line, file))
        add_token(to, line);
    fclose(file);
}

static void add_numbers(texts *to)
{
    static const char *const numbers[] = {
        "-1", "0", "1", "255", "65536", "2147483648", "9223372036854775808", "1e999"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        add(to, (const unsigned char *)numbers[i], strlen(numbers[i]));
}

static size_t up_to(test_random *random, size_t most)
{
    return (size_t)random_int(random, 0, (int)most);
}

/* `removed` bytes at `at` become those of `with`. */
static void replace(text *of, size_t at, size_t removed, text with)
{
    if (of->size - removed + with.size > MOST_BYTES)
        return;
    memmove(of->bytes + at + with.size, of->bytes + at + removed, of->size - at - removed);
    memmove(of->bytes + at, with.bytes, with.size);
    of->size += with.size - removed;
}

/* A byte changed, bytes removed, a token put in, or a part of another seed. */
static void edit(text *of, test_random *random, const texts *seeds, const texts *tokens)
{
    const size_t at = up_to(random, of->size);
    const size_t left = of->size - at;
    const size_t some = up_to(random, left < 16 ? left : 16);
    const text *token = &tokens->all[up_to(random, tokens->count - 1)];
    const text *other = &seeds->all[up_to(random, seeds->count - 1)];
    const size_t from = up_to(random, other->size);
    unsigned char byte = (unsigned char)random_int(random, 0, 255);
    switch (random_int(random, 0, 4)) {
    case 0:
        replace(of, at, left > 0, (text){&byte, 1});
        break;
    case 1:
        replace(of, at, random_chance(random, 10) ? left : some, (text){&byte, 0});
        break;
    case 2:
        replace(of, at, random_chance(random, 50) ? some : 0, *token);
        break;
    default:
        replace(of, at, some, (text){other->bytes + from, up_to(random, other->size - from)});
        break;
    }
}

static void run(text input)
{
    FILE *file = fopen(input_path, "wb");
    if (!file || fwrite(input.bytes, 1, input.size, file) != input.size)
        fail("cannot be written", input_path);
    fclose(file);
    /* Of its own size, so that a sanitizer sees what is read behind it. */
    unsigned char *exact = malloc(input.size ? input.size : 1);
    if (!exact)
        fail("no memory", input_path);
    memcpy(exact, input.bytes, input.size);
    (void)LLVMFuzzerTestOneInput(exact, input.size);
    free(exact);
}

static void run_edited(uint64_t seed, size_t number, const texts *seeds, const texts *tokens)
{
    static unsigned char bytes[MOST_BYTES];
    test_random random = random_for_case(seed, number);
    const text *from = &seeds->all[up_to(&random, seeds->count - 1)];
    text input = {bytes, from->size};
    memcpy(bytes, from->bytes, from->size);
    for (int edits = random_int(&random, 1, MOST_EDITS); edits > 0; edits--)
        edit(&input, &random, seeds, tokens);
    run(input);
}

static void free_texts(texts *of)
{
    for (size_t i = 0; i < of->count; i++)
        free(of->all[i].bytes);
}

int main(int count, char **words)
{
    static texts seeds;
    static texts tokens;
    char path[4096];
    if (count < 2)
        fail("names no folder of seeds", words[0]);
    snprintf(path, sizeof path, "%s.input", words[0]);
    input_path = path;
    add_folder(&seeds, words[1]);
    add_numbers(&tokens);
    if (count > 2)
        add_dictionary(&tokens, words[2]);
    const uint64_t seed = random_seed(1);
    const size_t cases = random_cases(CASES);
    for (size_t i = 0; i < seeds.count; i++)
        run(seeds.all[i]);
    for (size_t i = 0; i < cases; i++)
        run_edited(seed, i, &seeds, &tokens);
    printf("%zu seeds, %zu edited inputs\n", seeds.count, cases);
    free_texts(&seeds);
    free_texts(&tokens);
    return 0;
}
