/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of enumerators and their names. */
#ifndef SWP_BASE_NAMES_H
#define SWP_BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#define SWP_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

typedef struct swp_name {
    int number;
    const char *name;
} swp_name;

/* All names of one enumeration. */
typedef struct swp_name_table {
    const swp_name *names;
    size_t count;
} swp_name_table;

#define SWP_NAME_TABLE(array)                                                                      \
    {                                                                                              \
        array, SWP_COUNT_OF(array)                                                                 \
    }

/* NULL if there is no such number. */
const char *swp_name_of(const swp_name *names, size_t count, int number);
bool swp_number_of(const swp_name *names, size_t count, const char *name, int *number);

#endif
