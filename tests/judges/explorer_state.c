/* SPDX-License-Identifier: Apache-2.0 */
#include "explorer_state.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(state) ==
                   (MOST_WAVES * 8) + (MOST_WAVES * 2 * 4) + (MOST_PLACES * MOST_WAVES * 2),
               "a state has no holes");

/* FNV-1a over words, with its high bits folded into the low ones. */
static size_t hash(const state *s)
{
    uint64_t words[sizeof(state) / sizeof(uint64_t)];
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    memcpy(words, s, sizeof(words));
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        h = (h ^ words[i]) * UINT64_C(0x100000001b3);
        h ^= h >> 29;
    }
    return (size_t)h;
}

static void *checked(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static size_t find_slot(const state_set *set, const state *s)
{
    size_t at = hash(s) & (set->slot_count - 1);
    while (set->slots[at] && memcmp(&set->items[set->slots[at] - 1], s, sizeof(*s)) != 0)
        at = (at + 1) & (set->slot_count - 1);
    return at;
}

static void grow_slots(state_set *set)
{
    set->slot_count = set->slot_count ? 2 * set->slot_count : 256;
    free(set->slots);
    set->slots = checked(calloc(set->slot_count, sizeof(*set->slots)));
    for (size_t i = 0; i < set->count; i++)
        set->slots[find_slot(set, &set->items[i])] = i + 1;
}

bool state_set_add(state_set *set, const state *s)
{
    if (2 * (set->count + 1) > set->slot_count)
        grow_slots(set);
    const size_t at = find_slot(set, s);
    if (set->slots[at])
        return false;
    if (set->count == set->capacity) {
        set->capacity = set->capacity ? 2 * set->capacity : 64;
        set->items = checked(realloc(set->items, set->capacity * sizeof(*set->items)));
    }
    set->items[set->count++] = *s;
    set->slots[at] = set->count;
    return true;
}

void state_set_free(state_set *set)
{
    free(set->items);
    free(set->slots);
    *set = (state_set){0};
}
