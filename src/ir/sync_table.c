/* SPDX-License-Identifier: Apache-2.0 */
/* The table of synchronisation objects, alone, so that a test can link one with other rows. */
#include "ir/sync_objects.h"

const swp_sync_table swp_ir_sync_table = {.objects = swp_ir_sync_objects,
                                          .object_count = SWP_SYNC_ROWS,
                                          .operations = swp_ir_sync_operations,
                                          .operation_count = SWP_SYNC_OPERATIONS};
