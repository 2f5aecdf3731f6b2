/* SPDX-License-Identifier: Apache-2.0 */
/* Searches that were made before, kept by what they depend on (docs/scheduling.md, "One search"). */
#ifndef CLI_SEARCH_CACHE_H
#define CLI_SEARCH_CACHE_H

#include "cache.h"

/*
 * Gives the context the search that was made before of this argument, for the same options and limits, or lets it keep the one
 * that is made now. search_cache_keep() follows.
 */
swp_status search_cache_begin(const cli_invocation *invocation, int argument,
                              const cli_source *text, swp_context *ctx, cli_cache_key *key);

/* Keeps the search that was made; it was not the clock or Ctrl-C that ended it. */
void search_cache_keep(const swp_context *ctx, bool is_whole, cli_cache_key *key);

#endif
