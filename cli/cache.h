/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps answers in the user's cache folder, by what they are about. */
#ifndef CLI_CACHE_H
#define CLI_CACHE_H

#include "invocation.h"

/* What an answer depends on, as one text. */
typedef struct cli_cache_key {
    const char *folder; /* of the cache: what kind of answer it is */
    char *text;         /* NULL: nothing is kept */
    size_t length;
} cli_cache_key;

/* Whether an invocation keeps what does not depend on the clock: neither it nor the environment says no. */
bool cache_is_on(const cli_invocation *invocation);

/* Begins the text of a key with this program; NULL: none can be had. cache_end_key() ends it. */
FILE *cache_begin_key(const char *folder, cli_cache_key *key);
void cache_end_key(FILE *stream, cli_cache_key *key);
void cache_free_key(cli_cache_key *key);

/* The answer that was given before, which the caller frees; NULL: there is none. */
char *cache_find(const cli_cache_key *key, size_t *length);

/* Keeps an answer; where that cannot be done it is given again. */
void cache_keep(const cli_cache_key *key, const char *answer, size_t length);

#endif
