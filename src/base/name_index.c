/* SPDX-License-Identifier: Apache-2.0 */
#include "base/name_index.h"

#include <limits.h>
#include <string.h>

/* A leaf has a name; any other node has the first bit in which the names below it differ. */
struct swp_name_node {
    const char *name;
    int number;
    size_t byte;
    unsigned char bit;
    swp_name_node *children[2]; /* names without the bit, and with it */
};

/* A name as a text without end: past its own there are zeros. */
static unsigned char byte_of(const char *name, size_t length, size_t at)
{
    return at < length ? (unsigned char)name[at] : 0;
}

static bool side_of(const swp_name_node *node, const char *name, size_t length)
{
    return (byte_of(name, length, node->byte) & node->bit) != 0;
}

/* The leaf to which the bits of a name lead: its own if it has one. */
static const swp_name_node *nearest(const swp_name_index *index, const char *name, size_t length)
{
    const swp_name_node *node = index->root;
    while (node && !node->name)
        node = node->children[side_of(node, name, length)];
    return node;
}

int swp_name_index_find(const swp_name_index *index, const char *name)
{
    const swp_name_node *leaf = nearest(index, name, strlen(name));
    return leaf && strcmp(leaf->name, name) == 0 ? leaf->number : -1;
}

/* The first bit in which two different names differ. */
static void find_difference(const char *a, const char *b, swp_name_node *node)
{
    while (a[node->byte] == b[node->byte])
        node->byte++;
    const unsigned char differ =
        (unsigned char)((unsigned char)a[node->byte] ^ (unsigned char)b[node->byte]);
    node->bit = 1U << (CHAR_BIT - 1);
    while (!(differ & node->bit))
        node->bit >>= 1;
}

static bool comes_before(const swp_name_node *a, const swp_name_node *b)
{
    return a->byte < b->byte || (a->byte == b->byte && a->bit > b->bit);
}

swp_status swp_name_index_add(swp_context *ctx, swp_name_index *index, const char *name, int number)
{
    const size_t length = strlen(name);
    const swp_name_node *other = nearest(index, name, length);
    swp_name_node *leaf = NULL;
    swp_name_node *fork = NULL;
    SWP_TRY(SWP_TAKE(ctx, 1, &leaf));
    *leaf = (swp_name_node){.name = name, .number = number};
    if (!other) {
        index->root = leaf;
        return SWP_OK;
    }
    SWP_TRY(SWP_TAKE(ctx, 1, &fork));
    find_difference(name, other->name, fork);
    swp_name_node **link = &index->root;
    while (!(*link)->name && comes_before(*link, fork))
        link = &(*link)->children[side_of(*link, name, length)];
    const bool side = side_of(fork, name, length);
    fork->children[side] = leaf;
    fork->children[!side] = *link;
    *link = fork;
    return SWP_OK;
}

swp_status swp_name_list_add(swp_context *ctx, swp_name_list *list, const char *name)
{
    SWP_TRY(swp_name_index_add(ctx, &list->index, name, (int)list->count));
    return SWP_PUSH(ctx, list, name);
}
