/* SPDX-License-Identifier: Apache-2.0 */
/* Looks up and inserts in a crit-bit tree: it descends by the key's bits, then compares once. */
#include "base/key_index.h"

#include <limits.h>
#include <string.h>

/* A leaf has a key; any other node has the first bit in which the keys below it differ. */
struct swp_key_node {
    const unsigned char *key;
    size_t length;
    int number;
    size_t byte;
    unsigned char bit;
    swp_key_node *children[2]; /* keys without the bit, and with it */
};

/* A key counts as followed by zeros. */
static unsigned char byte_of(const unsigned char *key, size_t length, size_t at)
{
    return at < length ? key[at] : 0;
}

static bool side_of(const swp_key_node *node, const unsigned char *key, size_t length)
{
    return (byte_of(key, length, node->byte) & node->bit) != 0;
}

/* Returns the leaf to which the bits of a key lead: the key's own leaf if it has one. */
static const swp_key_node *nearest(const swp_key_index *index, const unsigned char *key,
                                   size_t length)
{
    const swp_key_node *node = index->root;
    while (node && !node->key)
        node = node->children[side_of(node, key, length)];
    return node;
}

int swp_key_index_find(const swp_key_index *index, const void *key, size_t length)
{
    const swp_key_node *leaf = nearest(index, key, length);
    const bool same = leaf && leaf->length == length && memcmp(leaf->key, key, length) == 0;
    return same ? leaf->number : -1;
}

/* Finds the first bit in which two different keys differ. */
static void find_difference(const swp_key_node *a, const swp_key_node *b, swp_key_node *fork)
{
    unsigned char differ = 0;
    while (
        !(differ = byte_of(a->key, a->length, fork->byte) ^ byte_of(b->key, b->length, fork->byte)))
        fork->byte++;
    fork->bit = 1U << (CHAR_BIT - 1);
    while (!(differ & fork->bit))
        fork->bit >>= 1;
}

static bool comes_before(const swp_key_node *a, const swp_key_node *b)
{
    return a->byte < b->byte || (a->byte == b->byte && a->bit > b->bit);
}

swp_status swp_key_index_add(swp_context *ctx, swp_key_index *index, const void *key, size_t length,
                             int number)
{
    const swp_key_node *other = nearest(index, key, length);
    swp_key_node *leaf = NULL;
    swp_key_node *fork = NULL;
    SWP_TRY(SWP_TAKE(ctx, 1, &leaf));
    *leaf = (swp_key_node){.key = key, .length = length, .number = number};
    if (!other) {
        index->root = leaf;
        return SWP_OK;
    }
    SWP_TRY(SWP_TAKE(ctx, 1, &fork));
    find_difference(leaf, other, fork);
    swp_key_node **link = &index->root;
    while (!(*link)->key && comes_before(*link, fork))
        link = &(*link)->children[side_of(*link, key, length)];
    const bool side = side_of(fork, key, length);
    fork->children[side] = leaf;
    fork->children[!side] = *link;
    *link = fork;
    return SWP_OK;
}

swp_status swp_key_index_number(swp_context *ctx, swp_key_index *index, const void *key,
                                size_t length, int next, int *number)
{
    unsigned char *kept = NULL;
    *number = swp_key_index_find(index, key, length);
    if (*number >= 0)
        return SWP_OK;
    *number = next;
    SWP_TRY(SWP_TAKE(ctx, length, &kept));
    memcpy(kept, key, length);
    return swp_key_index_add(ctx, index, kept, length, next);
}

int swp_name_list_find(const swp_name_list *list, const char *name)
{
    return swp_key_index_find(&list->index, name, strlen(name));
}

swp_status swp_name_list_add(swp_context *ctx, swp_name_list *list, const char *name)
{
    SWP_TRY(swp_key_index_add(ctx, &list->index, name, strlen(name), (int)list->count));
    return SWP_PUSH(ctx, list, name);
}
