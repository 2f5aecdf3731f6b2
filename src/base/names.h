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
    const char *meaning; /* NULL where the table has none */
} swp_name;

/* Rows of the tables X(constant, number, name) and X(constant, number, name, meaning). */
#define SWP_NAME_ROW(constant, number, name) {number, name, NULL},
#define SWP_MEANING_ROW(constant, number, name, meaning) {number, name, meaning},

/* All names of one enumeration. */
typedef struct swp_name_table {
    const swp_name *names;
    size_t count;
} swp_name_table;

#define SWP_NAME_TABLE(array)                                                                      \
    {                                                                                              \
        array, SWP_COUNT_OF(array)                                                                 \
    }

/* Returns NULL if there is no such number. */
const char *swp_name_of(const swp_name *names, size_t count, int number);
/* Does the same for names that are shown: "?" stands for an unknown number. */
const char *swp_shown_name(const swp_name *names, size_t count, int number);
const char *swp_shown_meaning(const swp_name *names, size_t count, int number);
bool swp_number_of(const swp_name *names, size_t count, const char *name, int *number);

#endif
