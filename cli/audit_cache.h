/* SPDX-License-Identifier: Apache-2.0 */
/* Answers of audits that were given before, kept by what they are about. */
#ifndef CLI_AUDIT_CACHE_H
#define CLI_AUDIT_CACHE_H

#include "cache.h"

/* What an answer depends on: this swp, the options and the file; without a text none is kept of it. */
void audit_cache_key(const cli_invocation *invocation, const cli_source *text,
                     uint32_t changed_rules, cli_cache_key *key);

/* An answer that was given before; false: there is none. */
bool audit_cache_find(swp_context *ctx, const cli_cache_key *key, const char *file,
                      swp_audit_report *out);

/* Keeps an answer; where that cannot be done it is given again. */
void audit_cache_keep(swp_context *ctx, const cli_cache_key *key, const swp_audit_report *report);

#endif
