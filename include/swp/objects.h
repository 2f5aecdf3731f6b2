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

/** Bytes of a text that is made of cells. */
#define SWP_OBJECT_TEXT_SIZE 128

/** One object, in words. Those in arrays are made of the cells that the library goes by. */
typedef struct swp_object_description {
    const char *name;
    const char *kind;                         /**< counter, group, mbarrier, barrier */
    char waited_for_by[SWP_OBJECT_TEXT_SIZE]; /**< the entries that wait for it */
    char told_by[SWP_OBJECT_TEXT_SIZE];       /**< those that arrive or commit; "" if none do */
    char tracks[SWP_OBJECT_TEXT_SIZE];        /**< the ops whose end it tells; "" if none do */
    const char *arrives;                      /**< what is counted, and whose it is */
    const char *completes;                    /**< when a wait for it returns */
    const char *retires;                      /**< what retires an access besides its wait */
    const char *orders;                       /**< what comes before what by that */
    const char *leaves;                       /**< what one might think is ordered, and is not */
    const char *evidence;                     /**< sections of manuals, compilers, runs */
} swp_object_description;

/** Describes an object, first those that track the accesses of one wave. False: there are no more. */
SWP_API bool swp_object_describe(size_t index, swp_object_description *out);

#ifdef __cplusplus
}
#endif
#endif
