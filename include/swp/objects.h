/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file objects.h  The synchronisation objects: who arrives at each, what completes it, and what it orders
 * (docs/objects.md).
 */
#ifndef SWP_OBJECTS_H
#define SWP_OBJECTS_H

#include "swp/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One object, in words. */
typedef struct swp_object_description {
    const char *name;
    const char *kind;          /**< counter, group, mbarrier, barrier */
    const char *waited_for_by; /**< the entry that waits for it */
    const char *arrives;       /**< what is counted, and whose it is */
    const char *completes;     /**< when a wait for it returns */
    const char *retires;       /**< what retires an access besides its wait */
    const char *orders;        /**< what comes before what by that */
    const char *leaves;        /**< what one might think is ordered, and is not */
    const char *evidence;      /**< sections of manuals, compilers, runs */
} swp_object_description;

/** All objects, first those that track the accesses of one wave. */
SWP_API const swp_object_description *swp_object_descriptions(size_t *count);

#ifdef __cplusplus
}
#endif
#endif
