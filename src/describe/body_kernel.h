/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule definition of a body of the user's own. */
#ifndef SWP_DESCRIBE_BODY_KERNEL_H
#define SWP_DESCRIBE_BODY_KERNEL_H

#include "describe/description.h"

/* The definition refers to the description, which must outlive it. */
swp_status swp_describe_body_kernel_define(swp_context *ctx, const swp_description *description,
                                           const swp_settings *settings,
                                           swp_pipeline_schedule *out);

#endif
