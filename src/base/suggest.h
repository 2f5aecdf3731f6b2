/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SWP_BASE_SUGGEST_H
#define SWP_BASE_SUGGEST_H

#include "swp/suggest.h"

#endif
