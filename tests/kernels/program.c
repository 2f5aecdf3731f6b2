/* SPDX-License-Identifier: Apache-2.0 */
/* Writes down what the macros of a header tell. */
#include "program.h"

#include <stdio.h>
#include <stdlib.h>

static program told;
static edit edited;

static int length_of(value *const *list, int most)
{
    int length = 0;
    while (length < most && list[length])
        length++;
    return length;
}

int values_written(const op *o)
{
    return length_of(o->writes, MOST_MADE);
}

int values_made(const op *o)
{
    return values_written(o) + length_of(o->updates, MOST_MADE);
}

value *operand_value(const op *o, int operand)
{
    const int written = values_written(o);
    const int made = values_made(o);
    if (operand < written)
        return o->writes[operand];
    if (operand < made)
        return o->updates[operand - written];
    return operand - made < MOST_READ ? o->reads[operand - made] : NULL;
}

static bool is_edited(int site, int operand)
{
    return site == edited.site && operand == edited.operand;
}

/* The sites of a list of entries are consecutive. */
static step *add_step(int site)
{
    if (told.length == MOST_STEPS) {
        fprintf(stderr, "more than %d steps\n", MOST_STEPS);
        exit(2);
    }
    step *s = &told.steps[told.length++];
    if (told.length > 1 && is_edited(site - 1, SWAPPED)) {
        *s = s[-1];
        s--;
    }
    return s;
}

static step *tell(step_kind kind, int number, int site)
{
    static step left_out;
    step *s = is_edited(site, LEFT_OUT) ? &left_out : add_step(site);
    *s = (step){.kind = kind, .number = number, .site = site};
    return s;
}

void tell_op(const op *o, int iteration, const int *slots, int site)
{
    step *s = tell(STEP_OP, iteration, site);
    s->op = o;
    for (int i = 0; i < MOST_OPERANDS && operand_value(o, i); i++)
        s->slots[i] = (slots[i] + is_edited(site, i)) % operand_value(o, i)->slots;
}

void tell_wait_vm(int n, int site)
{
    tell(STEP_WAIT_VM, n + is_edited(site, 0), site);
}

void tell_wait_lgkm(int n, int site)
{
    tell(STEP_WAIT_LGKM, n + is_edited(site, 0), site);
}

void tell_barrier(int site)
{
    tell(STEP_BARRIER, 0, site);
}

const program *program_of(int n, edit e)
{
    told.length = 0;
    edited = e;
    the_kernel.tell(n);
    return &told;
}
