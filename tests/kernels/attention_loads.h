/* SPDX-License-Identifier: Apache-2.0 */
/* Loads of the tile of keys and of values whose number is the iteration. */
#ifndef ATTENTION_LOADS_H
#define ATTENTION_LOADS_H

#include "attention.h"

static void load_k(const task *t)
{
    load(t, t->iteration, key);
}

static void load_v(const task *t)
{
    load(t, t->iteration, content);
}

#endif
