/* SPDX-License-Identifier: Apache-2.0 */
/* Judges machine, loop shape and entries that were read: ranges that depend on one another. */
#include "emit/json/meaning.h"

#include "ir/entry.h"
#include "ir/op_meaning.h"
#include "swp/loop.h"
#include "json/kind.h"

enum { MOST_SLICES = 1024 };

static bool has_any(const json_t *root, const char *const *keys, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (json_object_get(root, keys[i]))
            return true;
    return false;
}

/* What follows an unknown version may mean anything. */
static bool is_version_1(swp_schedule_reader *reader, const json_t *root)
{
    const swp_json_path *path = SWP_JSON_IN_FILE("swp");
    const json_t *version = json_object_get(root, "swp");
    if (!version)
        return true;
    if (!swp_json_expect(&reader->json, path, version, JSON_INTEGER))
        return false;
    const json_int_t number = json_integer_value(version);
    if (number != 1)
        swp_json_complain(&reader->json, path, NULL,
                          "is %lld, but this swp reads version 1 of the format", (long long)number);
    return number == 1;
}

bool swp_json_is_schedule(swp_schedule_reader *reader, const json_t *root)
{
    static const char *const needed[] = {"machine", "loop",     "prologue",
                                         "kernel",  "epilogue", "roles"};
    if (swp_json_is_other_file(&reader->json, root, SWP_JSON_SCHEDULE))
        return false;
    if (!is_version_1(reader, root))
        return false;
    if (has_any(root, needed, SWP_COUNT_OF(needed)))
        return true;
    swp_json_complain(&reader->json, NULL, "`swp compile FILE|BUILTIN --format json` writes one",
                      "this is no schedule: it has neither `machine` nor `loop` nor any phase");
    return false;
}

void swp_json_check_machine(swp_schedule_reader *reader)
{
    const swp_machine *machine = &reader->schedule->machine;
    const swp_json_path path = {.up = SWP_JSON_IN_FILE("machine"), .key = "lag"};
    if (machine->lag > 0 && machine->groups < 2)
        swp_json_complain(&reader->json, &path, "set machine.groups to 2, or machine.lag to 0",
                          "is %d, but machine.groups is %d: of two groups, only group 1 can lag",
                          machine->lag, machine->groups);
    const swp_json_path full = {.up = SWP_JSON_IN_FILE("machine"), .key = "counter_full"};
    if (machine->registers == SWP_REGISTERS_SCOREBOARD &&
        machine->counter_full == SWP_COUNTER_WRAPS)
        swp_json_complain(&reader->json, &full, "set it to stall, or registers to managed",
                          "is wraps, but machine.registers is scoreboard: who waits for one access "
                          "alone does not say what a counter counts");
}

/* Every number of tiles that the loop takes is min_tiles and whole passes. */
void swp_json_check_loop(swp_schedule_reader *reader)
{
    const swp_loop_shape *loop = &reader->schedule->loop;
    const swp_json_path *up = SWP_JSON_IN_FILE("loop");
    const bool takes_any = reader->has_tails || (loop->tiles_per_pass == 1 && loop->multiple == 1);
    if (loop->min_tiles < 1 && !takes_any)
        swp_json_complain(&reader->json, &(swp_json_path){.up = up, .key = "min_tiles"},
                          "only a schedule with `epilogues` and `straight`, or with passes of 1 "
                          "tile, takes any N",
                          "is %d, but must be 1 or more", loop->min_tiles);
    else if (reader->has_tails && loop->multiple != 1)
        swp_json_complain(&reader->json, &(swp_json_path){.up = up, .key = "multiple"},
                          "`epilogues` and `straight` are for any N",
                          "is %d, but must be 1 beside them", loop->multiple);
    else if (loop->multiple != loop->tiles_per_pass && !reader->has_tails)
        swp_json_complain(&reader->json, &(swp_json_path){.up = up, .key = "multiple"},
                          "N is min_tiles and whole passes",
                          "is %d, but tiles_per_pass is %d: they must be the same", loop->multiple,
                          loop->tiles_per_pass);
    else if (loop->min_tiles % loop->multiple != 0)
        swp_json_complain(&reader->json, &(swp_json_path){.up = up, .key = "min_tiles"},
                          "N is min_tiles and whole passes",
                          "is %d, but must be a multiple of %d (loop.multiple)", loop->min_tiles,
                          loop->multiple);
    if (loop->placement == SWP_PLACE_NEXT_TILE && loop->first_base != 0)
        swp_json_complain(&reader->json, &(swp_json_path){.up = up, .key = "first_base"}, NULL,
                          "is %d, but must be 0 where each load takes the next tile: there is no "
                          "base",
                          loop->first_base);
}

static void check_grid(swp_schedule_reader *reader, const swp_json_path *path, const char *key,
                       int index, int count, const char *what, const char *field)
{
    if (index >= count)
        swp_json_complain(&reader->json, &(swp_json_path){.up = path, .key = key},
                          "rows and columns count from 0",
                          "is %d, but loop.%s is %d: there %s %d %s", index, field, count,
                          count == 1 ? "is" : "are", count, what);
}

static void check_grid_of(swp_schedule_reader *reader, const swp_json_path *path, const swp_op *op)
{
    const swp_loop_shape *loop = &reader->schedule->loop;
    check_grid(reader, path, "stage", op->stage, loop->m_mmas, loop->m_mmas == 1 ? "row" : "rows",
               "m_mmas");
    check_grid(reader, path, "subtile", op->subtile, loop->n_mmas,
               loop->n_mmas == 1 ? "column" : "columns", "n_mmas");
}

/* Ops of a loop whose loads write LDS, each at its k offset. */
static void check_placed_op(swp_schedule_reader *reader, const swp_json_path *path,
                            const swp_op *op)
{
    if (op->role == SWP_SHARED_STORE)
        swp_json_complain(&reader->json, &(swp_json_path){.up = path, .key = "role"},
                          "stores belong to loops of placement next_tile",
                          "is shared_store, but loads by k offset write LDS themselves");
    if (op->role == SWP_COMPUTE)
        check_grid_of(reader, path, op);
    if (swp_ir_op_needs_channel(op, SWP_PLACE_K_OFFSET) && op->channel < 0)
        swp_json_complain(&reader->json, &(swp_json_path){.up = path, .key = "channel"},
                          "channel 0 is A, 1 is B", "is %d, but a %s is of A or B", op->channel,
                          swp_role_name(op->role));
}

/* Where there is a dataflow, it says what ops mean. */
static void check_loop_op(swp_schedule_reader *reader, const swp_json_path *path, const swp_op *op)
{
    const size_t ops = reader->schedule->dataflow->loop->op_count;
    const bool is_work = swp_ir_is_work(op);
    if (is_work && (size_t)swp_loop_op_of_tag(op->tag) >= ops)
        swp_json_complain(&reader->json, &(swp_json_path){.up = path, .key = "tag"}, NULL,
                          "is %d, but `dataflow` has %zu ops", op->tag, ops);
    if (!is_work && op->iteration != 0 && !reader->has_roles)
        swp_json_complain(&reader->json, &(swp_json_path){.up = path, .key = "iteration"}, NULL,
                          "is %d, but must be 0: it means nothing to a %s", op->iteration,
                          swp_infrastructure_name(op->tag));
}

static const char *name_of(const swp_op *op)
{
    const char *framework = swp_infrastructure_name(op->tag);
    return framework ? framework : swp_role_name(op->role);
}

void swp_json_check_entry(swp_schedule_reader *reader, const swp_json_path *path,
                          const swp_entry *entry)
{
    const swp_op *op = &entry->op;
    const swp_placement placement = reader->schedule->loop.placement;
    swp_idle_member idle;
    if (!reader->knows_loop)
        return;
    if (reader->has_dataflow || reader->has_roles) { /* roles without one are refused as a whole */
        if (reader->schedule->dataflow)
            check_loop_op(reader, path, op);
        return;
    }
    if (swp_ir_op_idle_member(op, placement, &idle))
        swp_json_complain(&reader->json, &(swp_json_path){.up = path, .key = idle.name}, NULL,
                          "is %s, but must be %s: it means nothing to a %s%s", idle.value,
                          idle.unset, name_of(op),
                          idle.of_placement ? " where each load takes the next tile" : "");
    if (entry->is_prefetch && op->role != SWP_GLOBAL_LOAD)
        swp_json_complain(&reader->json, &(swp_json_path){.up = path, .key = "prefetch"}, NULL,
                          "is true, but only loads are prefetches");
    if (placement == SWP_PLACE_K_OFFSET)
        check_placed_op(reader, path, op);
    else if (op->subtile >= MOST_SLICES)
        swp_json_complain(&reader->json, &(swp_json_path){.up = path, .key = "subtile"}, NULL,
                          "is %d, but a tile has at most %d k-slices", op->subtile, MOST_SLICES);
}
