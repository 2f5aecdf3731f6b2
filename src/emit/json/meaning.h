/* SPDX-License-Identifier: Apache-2.0 */
/* Refusing what can be read but means nothing to those who judge a schedule. */
#ifndef SWP_EMIT_JSON_MEANING_H
#define SWP_EMIT_JSON_MEANING_H

#include "emit/json/phases.h"

/* Whether the file is a schedule at all; if not, says what it seems to be. */
bool swp_json_is_schedule(swp_schedule_reader *reader, const json_t *root);

/* Fields of the machine and the loop that contradict each other. */
void swp_json_check_machine(swp_schedule_reader *reader);
void swp_json_check_loop(swp_schedule_reader *reader);

/* Members of an entry that mean nothing to its kind, and operands that do not exist. */
void swp_json_check_entry(swp_schedule_reader *reader, const swp_json_path *path,
                          const swp_entry *entry);

#endif
