/* SPDX-License-Identifier: Apache-2.0 */
/* Waves that execute programs, line by line. */
#include "gfx9.h"

#define INT(x) ((int32_t)(uint32_t)(x))

static const char *const branches[] = {"s_cbranch_scc0",  "s_cbranch_scc1",  "s_cbranch_vccz",
                                       "s_cbranch_vccnz", "s_cbranch_execz", "s_cbranch_execnz"};

const char *gfx9_branch_name(int branch)
{
    return branches[branch];
}

uint64_t gfx9_pair(const wave *w, int first)
{
    return w->s[first] | (uint64_t)w->s[first + 1] << 32U;
}

void gfx9_set_pair(wave *w, int first, uint64_t value)
{
    w->s[first] = (uint32_t)value;
    w->s[first + 1] = (uint32_t)(value >> 32U);
}

static uint64_t read(const wave *w, operand o, int lane)
{
    switch (o.kind) {
    case SCALAR:
        return w->s[o.number];
    case PAIR:
        return gfx9_pair(w, o.number);
    case VECTOR:
        return w->v[o.number][lane];
    default:
        return (uint64_t)(int64_t)o.number;
    }
}

static gfx9_numbers read_all(const wave *w, const line *l, int lane)
{
    gfx9_numbers n = {read(w, l->from[0], lane), read(w, l->from[1], lane),
                      read(w, l->from[2], lane)};
    if (!gfx9_is_wide(gfx9_form(l->op)))
        n = (gfx9_numbers){(uint32_t)n.a, (uint32_t)n.b, (uint32_t)n.c};
    return n;
}

static uint64_t count_lanes(gfx9_numbers n, int lane, bool high)
{
    uint64_t count = n.b;
    for (int other = 0; other < 32; other++)
        count += other + (high ? 32 : 0) < lane && n.a >> other & 1;
    return count;
}

static uint64_t vector_result(const wave *w, const line *l, gfx9_numbers n, int lane)
{
    bool scc = w->scc;
    switch (gfx9_form(l->op)) {
    case SELECT:
        return gfx9_pair(w, l->from[2].number) >> lane & 1 ? n.b : n.a;
    case COUNT_LANES_LOW:
    case COUNT_LANES_HIGH:
        return count_lanes(n, lane, gfx9_form(l->op) == COUNT_LANES_HIGH);
    default:
        return gfx9_compute(l->op, n, &scc);
    }
}

static void execute_lanes(wave *w, const line *l)
{
    const uint64_t exec = gfx9_pair(w, EXEC);
    const wave old = *w;
    uint64_t mask = 0;
    for (int lane = 0; lane < LANES; lane++) {
        if (!(exec >> lane & 1))
            continue;
        const uint64_t r = vector_result(&old, l, read_all(&old, l, lane), lane);
        if (l->to.kind == VECTOR)
            w->v[l->to.number][lane] = (uint32_t)r;
        mask |= (r & 1) << lane;
    }
    if (l->to.kind == PAIR)
        gfx9_set_pair(w, l->to.number, mask);
}

static void execute(wave *w, const line *l)
{
    const uint64_t exec = gfx9_pair(w, EXEC);
    int first = 0;
    gfx9_numbers n = read_all(w, l, 0);
    switch (gfx9_form(l->op)) {
    case SCALAR_2:
    case SCALAR_1:
    case SCALAR_K:
    case CHOOSE:
        w->s[l->to.number] = (uint32_t)gfx9_compute(l->op, n, &w->scc);
        break;
    case COMPARE:
        (void)gfx9_compute(l->op, n, &w->scc);
        break;
    case PAIR_2:
    case PAIR_1:
    case CHOOSE_PAIR:
        gfx9_set_pair(w, l->to.number, gfx9_compute(l->op, n, &w->scc));
        break;
    case SAVE_EXEC:
        n.b = exec;
        gfx9_set_pair(w, EXEC, gfx9_compute(l->op, n, &w->scc));
        gfx9_set_pair(w, l->to.number, exec);
        break;
    case FIRST_LANE:
        while (exec && !(exec >> first & 1))
            first++;
        w->s[l->to.number] = w->v[l->from[0].number][first];
        break;
    case READ_LANE:
        w->s[l->to.number] = w->v[l->from[0].number][n.b % LANES];
        break;
    case WRITE_LANE:
        w->v[l->to.number][n.b % LANES] = (uint32_t)n.a;
        break;
    default:
        execute_lanes(w, l);
        break;
    }
}

static bool is_taken(const wave *w, int branch)
{
    enum { ASKS_SCC = 2, ASKS_VCC = 4 };
    const bool set = branch < ASKS_SCC   ? w->scc
                     : branch < ASKS_VCC ? gfx9_pair(w, VCC) != 0
                                         : gfx9_pair(w, EXEC) != 0;
    return set == (branch % 2 == 1);
}

/* One line; returns the next. */
int gfx9_step(wave *w, const gfx9_program *p, int at)
{
    const line *l = &p->lines[at];
    switch (l->flow) {
    case BRANCH:
        return is_taken(w, l->op) ? l->label : at + 1;
    case JUMP:
        return l->label;
    case LOOP_START:
        w->scc = INT(w->s[COUNTER]) == INT32_MIN;
        w->s[COUNTER]--;
        return at + 1;
    case LOOP_END:
        w->scc = w->s[COUNTER] != 0;
        return w->scc ? l->label : at + 1;
    default:
        execute(w, l);
        return at + 1;
    }
}
