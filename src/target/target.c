/* SPDX-License-Identifier: Apache-2.0 */
/* The table of targets: a new one is a file and a row. */
#include "swp/target.h"

#include "target/mi355x.h"

#include <string.h>

swp_op_cost swp_op_cost_none(void)
{
    return (swp_op_cost){.resource = SWP_RESOURCE_NONE, .role = SWP_ROLE_NONE};
}

swp_cost_model swp_cost_model_none(void)
{
    swp_cost_model model;
    for (int tag = 0; tag < SWP_KERNEL_TAGS; tag++)
        model.costs[tag] = swp_op_cost_none();
    return model;
}

const swp_target *swp_targets(size_t *count)
{
    *count = 1;
    return &swp_mi355x;
}

const swp_target *swp_target_find(const char *name)
{
    size_t count = 0;
    const swp_target *targets = swp_targets(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(targets[i].name, name) == 0)
            return &targets[i];
    return NULL;
}
