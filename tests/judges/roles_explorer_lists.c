/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_explorer_lists.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

void *rx_allocate(size_t count, size_t size)
{
    return checked(calloc(count > 0 ? count : 1, size));
}

void *rx_grown(void *items, int count, int *capacity, size_t size)
{
    if (count < *capacity)
        return items;
    *capacity = *capacity ? 2 * *capacity : 8;
    return checked(realloc(items, (size_t)*capacity * size));
}

void rx_push_number(rx_numbers *list, int number)
{
    list->items = rx_grown(list->items, list->count, &list->capacity, sizeof *list->items);
    list->items[list->count++] = number;
}

void rx_push_moment(rx_moments *list, rx_moment moment)
{
    list->items = rx_grown(list->items, list->count, &list->capacity, sizeof *list->items);
    list->items[list->count++] = moment;
}

/* FNV-1a over bytes, with its high bits folded into the low ones. */
static size_t hash(const unsigned char *bytes, size_t width)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < width; i++)
        h = (h ^ bytes[i]) * UINT64_C(0x100000001b3);
    return (size_t)(h ^ h >> 29);
}

const unsigned char *rx_states_at(const rx_states *states, size_t index)
{
    return states->bytes + index * states->width;
}

static size_t find_slot(const rx_states *states, const unsigned char *state)
{
    size_t at = hash(state, states->width) & (states->slot_count - 1);
    while (states->slots[at] &&
           memcmp(rx_states_at(states, states->slots[at] - 1), state, states->width) != 0)
        at = (at + 1) & (states->slot_count - 1);
    return at;
}

static void grow_slots(rx_states *states)
{
    states->slot_count = states->slot_count ? 2 * states->slot_count : 256;
    free(states->slots);
    states->slots = rx_allocate(states->slot_count, sizeof *states->slots);
    for (size_t i = 0; i < states->count; i++)
        states->slots[find_slot(states, rx_states_at(states, i))] = i + 1;
}

bool rx_states_add(rx_states *states, const unsigned char *state)
{
    if (2 * (states->count + 1) > states->slot_count)
        grow_slots(states);
    const size_t at = find_slot(states, state);
    if (states->slots[at])
        return false;
    if (states->count == states->capacity) {
        states->capacity = states->capacity ? 2 * states->capacity : 64;
        states->bytes = checked(realloc(states->bytes, states->capacity * states->width));
    }
    memcpy(states->bytes + states->count * states->width, state, states->width);
    states->slots[at] = ++states->count;
    return true;
}

void rx_states_free(rx_states *states)
{
    free(states->bytes);
    free(states->slots);
    *states = (rx_states){0};
}
