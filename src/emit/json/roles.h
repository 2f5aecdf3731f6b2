/* SPDX-License-Identifier: Apache-2.0 */
/* Reading what only schedules with warp roles have. */
#ifndef SWP_EMIT_JSON_ROLES_H
#define SWP_EMIT_JSON_ROLES_H

#include "emit/json/phases.h"

/* `sync_objects`, whose presence tells a schedule with warp roles. */
void swp_json_read_role_objects(swp_schedule_reader *reader, json_t *root);

/* What the instances of a role are. */
void swp_json_read_role_instances(swp_schedule_reader *reader, const swp_json_path *path,
                                  json_t *role, swp_stream *stream);

/* The number of the object that an entry names. */
void swp_json_name_object(swp_schedule_reader *reader, const swp_json_path *path, swp_json_op *op);

/* What only the whole schedule tells. */
void swp_json_check_roles(swp_schedule_reader *reader);

#endif
