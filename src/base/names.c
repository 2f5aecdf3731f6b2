/* SPDX-License-Identifier: Apache-2.0 */
/* Looks up tables of names, from number to word and back. */
#include "base/names.h"

#include <string.h>

static const swp_name *find(const swp_name *names, size_t count, int number)
{
    for (size_t i = 0; i < count; i++)
        if (names[i].number == number)
            return &names[i];
    return NULL;
}

const char *swp_name_of(const swp_name *names, size_t count, int number)
{
    const swp_name *found = find(names, count, number);
    return found ? found->name : NULL;
}

const char *swp_shown_name(const swp_name *names, size_t count, int number)
{
    const swp_name *found = find(names, count, number);
    return found ? found->name : "?";
}

const char *swp_shown_meaning(const swp_name *names, size_t count, int number)
{
    const swp_name *found = find(names, count, number);
    return found ? found->meaning : "?";
}

bool swp_number_of(const swp_name *names, size_t count, const char *name, int *number)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i].name, name) == 0) {
            *number = names[i].number;
            return true;
        }
    return false;
}
