/* SPDX-License-Identifier: Apache-2.0 */
#include "builtins.h"

#include "fixture.h"
#include "swp/describe.h"

#include <string.h>

enum { MOST_LENGTH = 512 };

/* Cuts the first word off a text. */
static char *next_word(char **rest)
{
    char *word = *rest;
    const size_t length = strcspn(word, " ");
    *rest = word + length + (word[length] == ' ');
    word[length] = '\0';
    return word;
}

static void set(swp_context *ctx, swp_description *description, char *path)
{
    const swp_place nowhere = {NULL, 0, 0};
    char *value = strchr(path, '=');
    assert_non_null(value);
    *value = '\0';
    assert_ok(ctx, swp_description_set(ctx, description, path, value + 1, nowhere));
}

swp_schedule *compile_builtin(swp_context *ctx, const char *words)
{
    char text[MOST_LENGTH];
    char *rest = text;
    swp_description *description = NULL;
    swp_schedule *schedule = NULL;
    assert_in_range(strlen(words), 1, sizeof text - 1);
    memcpy(text, words, strlen(words) + 1);
    assert_ok(ctx, swp_description_from_builtin(ctx, next_word(&rest), &description));
    while (*rest)
        set(ctx, description, next_word(&rest));
    assert_ok(ctx, swp_description_compile(ctx, description, &schedule));
    return schedule;
}
