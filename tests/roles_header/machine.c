/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that take turns, and asynchronous operations that go on meanwhile. */
#include "machine.h"

#include <stddef.h>
#include <string.h>
#include <ucontext.h>

enum { STACK = 32768, MOST_OPERATIONS = 4096, BARRIERS = 16, MOST_WRITES = 16 };

/* Who goes on where several can: by chance, the thread that went on before as long as it can, operations last, or first. */
typedef enum order { BY_CHANCE, BY_PRIORITY, LATE, EARLY, ORDERS } order;

typedef struct shared_write {
    unsigned *at;
    unsigned value;
} shared_write;

typedef struct fiber {
    ucontext_t context;
    bool ended;
    bool (*is_ready)(const struct fiber *f); /* of a thread that waits */
    const mbarrier *mbarrier;
    int number; /* a parity, an id, or groups that have to be retired */
    int meeting;
    uint64_t priority;
    int matrix_count;  /* that it has issued */
    int matrix_groups; /* that it has committed */
    int stores, store_groups;
    shared_write writes[MOST_WRITES]; /* before its next fence */
    int write_count;
    int fences;   /* after which its registers are the wgmmas' */
    int shuffles; /* which wait for all lanes of the warp */
} fiber;

/* A bulk store has two ends: its source is read, then what it writes is visible. */
typedef enum op_kind { COPY, MATRIX, STORE } op_kind;

typedef struct operation {
    op_kind kind;
    work work;
    int parts;                      /* that have taken effect */
    int team;                       /* or thread, of a store */
    int group;                      /* -1: none yet */
    int issues;                     /* of a wgmma, in so many of its threads… */
    int issuers[MOST_TEAM_THREADS]; /* …which are these parts of the team */
    mbarrier *mbarrier;
    int bytes;
    bool lands; /* the bytes of its last part have not been counted */
    bool done;
    uint64_t priority;
} operation;

typedef struct barrier {
    int arrived;
    int meeting;
} barrier;

static struct {
    const program *program;
    int n;
    order order;
    int patience; /* steps until another thread may be the first */
    uint64_t random;
    ucontext_t scheduler;
    fiber fibers[MOST_THREADS];
    int current;
    barrier barriers[BARRIERS];
    operation operations[MOST_OPERATIONS];
    int operation_count;
    int matrix_retired[MOST_INSTANCES]; /* groups */
    int store_read[MOST_THREADS], store_written[MOST_THREADS];
    const char *wrong;
} machine;

static char stacks[MOST_THREADS][STACK];
mbarrier mbarriers[MOST_MBARRIERS];

/* ---- Chance ---- */

static uint64_t random_number(void)
{
    uint64_t x = machine.random += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static int random_below(int n)
{
    return (int)(random_number() % (uint64_t)n);
}

/* ---- Threads ---- */

static fiber *current(void)
{
    return &machine.fibers[machine.current];
}

const thread *this_thread(void)
{
    return &machine.program->threads[machine.current];
}

void is_wrong(const char *what)
{
    if (!machine.wrong)
        machine.wrong = what;
}

/* Lets others go on, until the thread is ready. */
static void wait_until(bool (*is_ready)(const fiber *f))
{
    current()->is_ready = is_ready;
    swapcontext(&current()->context, &machine.scheduler);
    current()->is_ready = NULL;
}

static void let_go(void)
{
    wait_until(NULL);
}

static void run_thread(void)
{
    machine.program->run(machine.n);
    current()->ended = true;
    swapcontext(&current()->context, &machine.scheduler);
}

int warp_by_shuffle(void)
{
    current()->shuffles++;
    return this_thread()->warp;
}

void elect(int *elected)
{
    current()->shuffles++;
    *elected = this_thread()->elected;
}

/* ---- mbarriers ---- */

static void complete_phase(mbarrier *m)
{
    if (m->pending != 0 || m->bytes != 0)
        return;
    m->pending = m->arrivals;
    m->parity ^= 1;
}

static void arrive(mbarrier *m, int count)
{
    if (m->pending < count)
        is_wrong("too many arrivals");
    m->pending -= count;
    complete_phase(m);
}

void mbarrier_init(mbarrier *m, int arrivals)
{
    *m = (mbarrier){.arrivals = arrivals, .pending = arrivals};
}

void mbarrier_arrive(mbarrier *m)
{
    let_go();
    arrive(m, this_thread()->weight);
}

void mbarrier_arrive_expect(mbarrier *m, int bytes)
{
    let_go();
    m->bytes += bytes;
    arrive(m, this_thread()->weight);
}

static bool is_other_parity(const fiber *f)
{
    return f->mbarrier->parity != f->number;
}

void mbarrier_wait(mbarrier *m, int parity)
{
    let_go();
    current()->mbarrier = m;
    current()->number = parity;
    wait_until(is_other_parity);
}

/* ---- Named barriers ---- */

static void come(int id, int threads)
{
    barrier *b = &machine.barriers[id];
    b->arrived += this_thread()->weight;
    if (b->arrived > threads)
        is_wrong("too many threads at a barrier");
    if (b->arrived >= threads) {
        b->arrived = 0;
        b->meeting++;
    }
}

static bool is_open(const fiber *f)
{
    return machine.barriers[f->number].meeting != f->meeting;
}

void named_arrive(int id, int threads)
{
    let_go();
    come(id, threads);
}

void named_sync(int id, int threads)
{
    let_go();
    current()->number = id;
    current()->meeting = machine.barriers[id].meeting;
    come(id, threads);
    wait_until(is_open);
}

/* ---- Asynchronous operations ---- */

static operation *new_operation(op_kind kind, work w, int team)
{
    operation *o = &machine.operations[machine.operation_count];
    if (machine.operation_count + 1 < MOST_OPERATIONS)
        machine.operation_count++;
    else
        is_wrong("too many operations");
    *o = (operation){
        .kind = kind, .work = w, .team = team, .group = -1, .priority = random_number()};
    return o;
}

void start_copy(work w, mbarrier *m, int bytes)
{
    let_go();
    operation *o = new_operation(COPY, w, 0);
    o->mbarrier = m;
    o->bytes = bytes;
}

/* The operation of a kind and team with a number; NULL: there is none yet. */
static operation *operation_of(op_kind kind, int team, int number)
{
    for (int i = 0; i < machine.operation_count; i++) {
        operation *o = &machine.operations[i];
        if (o->kind == kind && o->team == team && number-- == 0)
            return o;
    }
    return NULL;
}

/* Each thread of the team calls it; they are one operation. */
void start_matrix(work w)
{
    let_go();
    operation *o = operation_of(MATRIX, w.team, current()->matrix_count++);
    if (current()->fences == 0)
        is_wrong("a wgmma without a fence");
    if (!o)
        o = new_operation(MATRIX, w, w.team);
    o->issuers[o->issues++] = this_thread()->part;
}

void start_store(work w)
{
    let_go();
    new_operation(STORE, w, machine.current);
    current()->stores++;
}

void matrix_fence(void)
{
    let_go();
    current()->fences++;
}

int fences_of_registers(void)
{
    return current()->fences;
}

void write_shared(unsigned *at, unsigned value)
{
    fiber *f = current();
    if (random_below(2))
        *at = value;
    else if (f->write_count == MOST_WRITES)
        is_wrong("writes without a fence");
    else
        f->writes[f->write_count++] = (shared_write){at, value};
}

void fence_async(void)
{
    let_go();
    fiber *f = current();
    for (int i = 0; i < f->write_count; i++)
        *f->writes[i].at = f->writes[i].value;
    f->write_count = 0;
}

/* Those of a team that are in no group, of the first `count`. */
static void commit(op_kind kind, int team, int count, int group)
{
    for (int i = 0; i < machine.operation_count && count > 0; i++) {
        operation *o = &machine.operations[i];
        if (o->kind != kind || o->team != team)
            continue;
        count--;
        if (o->group < 0)
            o->group = group;
    }
}

void matrix_commit(void)
{
    let_go();
    fiber *f = current();
    commit(MATRIX, this_thread()->team, f->matrix_count, f->matrix_groups++);
}

void bulk_commit(void)
{
    let_go();
    fiber *f = current();
    commit(STORE, machine.current, f->stores, f->store_groups++);
}

static int fiber_number(const fiber *f)
{
    return (int)(f - machine.fibers);
}

static bool has_retired(const fiber *f)
{
    return machine.matrix_retired[machine.program->threads[fiber_number(f)].team] >= f->number;
}

static bool has_read(const fiber *f)
{
    return machine.store_read[fiber_number(f)] >= f->number;
}

static bool has_written(const fiber *f)
{
    return machine.store_written[fiber_number(f)] >= f->number;
}

void matrix_wait(int n)
{
    let_go();
    current()->number = current()->matrix_groups - n;
    wait_until(has_retired);
}

void bulk_wait_read(int n)
{
    let_go();
    current()->number = current()->store_groups - n;
    wait_until(has_read);
}

void bulk_wait(int n)
{
    let_go();
    current()->number = current()->store_groups - n;
    wait_until(has_written);
}

/* ---- What can happen next ---- */

static int team_size(int team)
{
    int size = 0;
    for (int i = 0; i < machine.program->thread_count; i++)
        size += machine.program->threads[i].team == team;
    return size;
}

static bool has_effects_left(const operation *o)
{
    return o->parts < o->work.parts + (o->kind == STORE);
}

/* wgmmas of a team take effect in order. */
static bool is_next(const operation *o)
{
    if (o->kind != MATRIX)
        return true;
    for (const operation *before = machine.operations; before < o; before++)
        if (before->kind == MATRIX && before->team == o->team && has_effects_left(before))
            return false;
    return true;
}

/* Of a wgmma with shares, by the thread whose turn it is. */
static bool is_issued(const operation *o)
{
    return o->work.shares == 0 || o->parts < o->issues * o->work.shares;
}

/* A write of a store is not before its source is read, by which its group counts as read. */
static bool can_go_on(const operation *o)
{
    return !o->done && (o->lands || (has_effects_left(o) && is_issued(o) && is_next(o)));
}

static void land(operation *o)
{
    o->mbarrier->bytes -= o->bytes / o->work.parts;
    o->lands = false;
    o->done = !has_effects_left(o);
    complete_phase(o->mbarrier);
}

static void go_on(operation *o)
{
    if (o->lands) {
        land(o);
        return;
    }
    if (o->work.shares > 0)
        o->work.owner = o->issuers[o->parts / o->work.shares];
    const bool is_write = o->kind == STORE && o->parts == o->work.parts;
    o->work.part(&o->work, is_write ? -1 : o->parts);
    o->parts++;
    o->lands = o->kind == COPY;
    o->done = o->kind != COPY && !has_effects_left(o);
}

/* Whether all operations of a group have come so far; one that some threads have not issued is in flight. */
static bool is_over(op_kind kind, int team, int group, bool is_read)
{
    for (int i = 0; i < machine.operation_count; i++) {
        const operation *o = &machine.operations[i];
        if (o->kind != kind || o->team != team || o->group != group)
            continue;
        if (kind == MATRIX && o->issues < team_size(team))
            return false;
        if (is_read ? o->parts < o->work.parts : !o->done)
            return false;
    }
    return true;
}

/* The groups that the threads of a team have committed. */
static int groups_of(int team)
{
    int groups = 0;
    for (int i = 0; i < machine.program->thread_count; i++)
        if (machine.program->threads[i].team == team && machine.fibers[i].matrix_groups > groups)
            groups = machine.fibers[i].matrix_groups;
    return groups;
}

/* Groups retire in order, as soon as nothing is left of them: a wait may see it much later. */
static void retire_groups(void)
{
    for (int t = 0; t < MOST_INSTANCES; t++)
        while (machine.matrix_retired[t] < groups_of(t) &&
               is_over(MATRIX, t, machine.matrix_retired[t], false))
            machine.matrix_retired[t]++;
    for (int i = 0; i < machine.program->thread_count; i++) {
        const int groups = machine.fibers[i].store_groups;
        while (machine.store_read[i] < groups && is_over(STORE, i, machine.store_read[i], true))
            machine.store_read[i]++;
        while (machine.store_written[i] < groups &&
               is_over(STORE, i, machine.store_written[i], false))
            machine.store_written[i]++;
    }
}

typedef struct actor {
    int thread; /* -1: an operation */
    operation *operation;
    uint64_t priority;
} actor;

static int find_actors(actor *actors)
{
    int count = 0;
    for (int i = 0; i < machine.program->thread_count; i++) {
        const fiber *f = &machine.fibers[i];
        if (!f->ended && (!f->is_ready || f->is_ready(f)))
            actors[count++] = (actor){i, NULL, f->priority};
    }
    const int threads = count;
    for (int i = 0; i < machine.operation_count; i++)
        if (can_go_on(&machine.operations[i]))
            actors[count++] = (actor){-1, &machine.operations[i], machine.operations[i].priority};
    if (machine.order == LATE && threads > 0)
        return threads;
    if (machine.order == EARLY && count > threads) {
        memmove(actors, actors + threads, (size_t)(count - threads) * sizeof *actors);
        return count - threads;
    }
    return count;
}

static actor choose(const actor *actors, int count)
{
    actor chosen = actors[random_below(count)];
    if (machine.order != BY_PRIORITY)
        return chosen;
    for (int i = 0; i < count; i++)
        if (actors[i].priority > chosen.priority)
            chosen = actors[i];
    return chosen;
}

/* Now and again another thread is the one that goes on. */
static void step(actor a)
{
    const bool redraw = machine.order == BY_PRIORITY && random_below(machine.patience) == 0;
    if (a.thread < 0) {
        go_on(a.operation);
        return;
    }
    machine.current = a.thread;
    if (redraw)
        current()->priority = random_number();
    swapcontext(&machine.scheduler, &current()->context);
}

/* ---- A run ---- */

static void begin(const program *p, int n, uint64_t seed)
{
    memset(&machine, 0, offsetof(__typeof__(machine), operations));
    memset(machine.matrix_retired, 0, sizeof machine.matrix_retired);
    memset(machine.store_read, 0, sizeof machine.store_read);
    memset(machine.store_written, 0, sizeof machine.store_written);
    machine.operation_count = 0;
    machine.wrong = NULL;
    machine.program = p;
    machine.n = n;
    machine.random = seed;
    machine.order = (order)(seed % ORDERS);
    machine.patience = random_below(2) ? 16 : 1024;
    for (int i = 0; i < p->thread_count; i++) {
        fiber *f = &machine.fibers[i];
        getcontext(&f->context);
        f->context.uc_stack.ss_sp = stacks[i];
        f->context.uc_stack.ss_size = STACK;
        f->priority = random_number();
        makecontext(&f->context, run_thread, 0);
    }
}

/* A lane that does not come to a shuffle of its warp is waited for, for ever. */
static void look_at_shuffles(void)
{
    const thread *threads = machine.program->threads;
    for (int i = 1; i < machine.program->thread_count; i++)
        if (threads[i].warp == threads[i - 1].warp &&
            machine.fibers[i].shuffles != machine.fibers[i - 1].shuffles)
            is_wrong("a shuffle that not all lanes of a warp come to");
}

static void look_at_end(void)
{
    look_at_shuffles();
    for (int i = 0; i < machine.program->thread_count; i++)
        if (!machine.fibers[i].ended)
            is_wrong("deadlock");
    for (int i = 0; i < machine.operation_count; i++) {
        operation *o = &machine.operations[i];
        if (o->kind == STORE ? o->parts < o->work.parts : !o->done)
            is_wrong("in flight at the end");
        else if (!o->done)
            go_on(o);
    }
}

static bool have_all_ended(void)
{
    for (int i = 0; i < machine.program->thread_count; i++)
        if (!machine.fibers[i].ended)
            return false;
    return true;
}

const char *carry_out(const program *p, int n, uint64_t seed)
{
    static actor actors[MOST_THREADS + MOST_OPERATIONS];
    begin(p, n, seed);
    while (!machine.wrong && !have_all_ended()) {
        retire_groups();
        const int count = find_actors(actors);
        if (count == 0)
            break;
        step(choose(actors, count));
    }
    if (!machine.wrong)
        look_at_end();
    return machine.wrong;
}
