/* SPDX-License-Identifier: Apache-2.0 */
/* The words for where values of a loop are. */
#ifndef SWP_DESCRIBE_SPACES_H
#define SWP_DESCRIBE_SPACES_H

#include "base/names.h"

extern const swp_name_table swp_describe_space_names;

#endif
