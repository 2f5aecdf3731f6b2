/* SPDX-License-Identifier: Apache-2.0 */
/* Which shared values are handed on together, by which mbarriers, and from where to where each role uses them. */
#include "base/diag.h"
#include "base/text.h"
#include "ir/loop_dataflow.h"
#include "sync/roles.h"

#include <limits.h>
#include <string.h>

/* --- Who uses it --- */

/* How late an arrival may be: a copy of the next version takes so long, and a signal each way. */
static int64_t slack_of_copies(const swp_roles *r)
{
    int64_t least = INT32_MAX;
    for (size_t i = 0; i < r->loop->op_count; i++)
        if (r->loop->ops[i].clock == SWP_PASS_CLOCK &&
            swp_ir_loop_makes_in(r->loop, &r->loop->ops[i], SWP_SPACE_SHARED) &&
            r->loop->ops[i].latency < least)
            least = r->loop->ops[i].latency;
    return least + 2 * r->loop->signal;
}

/* From where on a slot is free. What makes over it in the same output tile cannot wait for the end of that. */
static int free_from(const swp_roles *r, const swp_role_channel *channel, int op, int distance)
{
    const bool waits = r->plans[r->loop->ops[op].role].of_tiles && channel->reuse == 0;
    return swp_sync_roles_is_asynchronous(r, op) && !waits && !r->prompt
               ? swp_sync_roles_retired(r, op, distance, slack_of_copies(r))
               : swp_sync_roles_after(r, op, distance);
}

static void add_use(const swp_roles *r, const swp_role_channel *channel, int op,
                    const swp_loop_read *read)
{
    const int distance = read->distance;
    swp_role_use *use = &channel->uses[r->loop->ops[op].role];
    const bool asynchronous = swp_sync_roles_is_asynchronous(r, op);
    const int before = swp_sync_roles_before(r, op, distance);
    const int done = swp_sync_roles_after(r, op, distance);
    const int free = free_from(r, channel, op, distance);
    if (!use->reads)
        *use = (swp_role_use){
            .reads = true, .by_one = true, .first = before, .done = done, .last = free};
    use->ordinary |= !asynchronous;
    use->asynchronous |= asynchronous || swp_sync_roles_passes_read_late(r, op, read->value);
    use->by_one &= swp_sync_roles_completion(r, op) == SWP_COMPLETION_STORE_GROUP;
    use->oldest = -distance < use->oldest ? -distance : use->oldest;
    use->first = before < use->first ? before : use->first;
    use->done = done > use->done ? done : use->done;
    use->last = free > use->last ? free : use->last;
}

static void find_uses(const swp_roles *r, const swp_role_channel *channel)
{
    for (int i = 0; i < (int)r->loop->op_count; i++) {
        const swp_loop_op *op = &r->loop->ops[i];
        for (size_t k = 0; k < op->read_count; k++)
            if (swp_sync_roles_is_of_channel(r, channel, i, &op->reads[k]))
                add_use(r, channel, i, &op->reads[k]);
    }
}

static swp_status new_channel(const swp_roles *r, int op, int slots, swp_role_channel *out)
{
    const swp_loop_op *o = &r->loop->ops[op];
    *out = (swp_role_channel){.role = o->role,
                              .lead = (int)r->channels.count,
                              .first = r->position[op],
                              .last = r->position[op],
                              .next = r->position[op],
                              .copies = swp_sync_roles_is_asynchronous(r, op),
                              .multicast = o->multicast,
                              .slots = slots,
                              .reuse = slots,
                              .full = -1,
                              .empty = -1};
    SWP_TRY(SWP_TAKE(r->ctx, r->loop->value_count, &out->values));
    return SWP_TAKE(r->ctx, (size_t)r->plan_count, &out->uses);
}

/* The channel of a value that several ops make, from one of them up to the next. */
static swp_status add_part(swp_roles *r, int op, int value)
{
    const bool is_last = op == swp_ir_loop_last_maker(r->loop, value);
    swp_role_channel made;
    SWP_TRY(new_channel(r, op, r->pipeline->slots[value], &made));
    made.values[made.value_count++] = value;
    made.part = swp_sync_roles_part(r, op, value);
    made.next = r->position[swp_sync_roles_next_maker(r, op, value)];
    made.reuse = is_last ? made.reuse : 0;
    find_uses(r, &made);
    return SWP_PUSH(r->ctx, &r->channels, made);
}

/* One for each value that other ops make, too. */
static swp_status add_parts(swp_roles *r, int op)
{
    for (int value = 0; value < (int)r->loop->value_count; value++)
        if (r->loop->values[value].space == SWP_SPACE_SHARED &&
            swp_ir_loop_makes(&r->loop->ops[op], value) &&
            swp_sync_roles_has_several_makers(r, value))
            SWP_TRY(add_part(r, op, value));
    return SWP_OK;
}

/* The channel from `lead` on of values with so many slots; none: behind the last one. */
static size_t find_slots(const swp_roles *r, size_t lead, int slots)
{
    size_t i = lead;
    while (i < r->channels.count && r->channels.items[i].slots != slots)
        i++;
    return i;
}

/* What an instance's share brings of values that the op alone makes. */
static void count_bytes(const swp_roles *r, const swp_loop_op *op, swp_role_channel *lead,
                        int64_t bytes)
{
    if (lead->copies)
        lead->bytes = (int)(bytes / r->plans[op->role].instances);
}

/* The channels of an op's shared values that it alone makes: one for each number of slots. */
static swp_status add_channels_of_op(swp_roles *r, int op)
{
    const swp_loop_op *o = &r->loop->ops[op];
    const size_t lead = r->channels.count;
    int64_t bytes = 0;
    for (size_t i = 0; i < o->write_count; i++) {
        const int value = o->writes[i];
        const int slots = r->pipeline->slots[value];
        const size_t to = find_slots(r, lead, slots);
        swp_role_channel made;
        if (r->loop->values[value].space != SWP_SPACE_SHARED ||
            swp_sync_roles_has_several_makers(r, value))
            continue;
        if (to == r->channels.count) {
            SWP_TRY(new_channel(r, op, slots, &made));
            made.lead = (int)lead;
            SWP_TRY(SWP_PUSH(r->ctx, &r->channels, made));
        }
        r->channels.items[to].values[r->channels.items[to].value_count++] = value;
        bytes += r->loop->values[value].bytes;
    }
    for (size_t i = lead; i < r->channels.count; i++)
        find_uses(r, &r->channels.items[i]);
    if (lead < r->channels.count)
        count_bytes(r, o, &r->channels.items[lead], bytes);
    return SWP_OK;
}

/* --- Which share an mbarrier --- */

static bool same_use(const swp_role_use *a, const swp_role_use *b)
{
    if (!a->reads || !b->reads)
        return a->reads == b->reads;
    return a->ordinary == b->ordinary && a->asynchronous == b->asynchronous &&
           a->oldest == b->oldest && a->first == b->first && a->last == b->last;
}

/* Copies that stand side by side, for one iteration, and are used from and up to the same points. */
static bool can_share(const swp_roles *r, const swp_role_channel *a, const swp_role_channel *b)
{
    const int *ops = r->plans[a->role].ops;
    const int *stage = r->pipeline->stage;
    bool same = a->role == b->role && a->copies && b->copies && b->first == a->last + 1 &&
                a->slots == b->slots;
    same = same && (a->bytes + b->bytes) * r->plans[a->role].instances <= SWP_IR_MOST_PENDING;
    same = same && stage[ops[a->last]] == stage[ops[b->first]];
    for (int role = 0; same && role < r->plan_count; role++)
        same = same_use(&a->uses[role], &b->uses[role]);
    return same;
}

static void join(swp_role_channel *to, const swp_role_channel *from)
{
    for (size_t i = 0; i < from->value_count; i++)
        to->values[to->value_count++] = from->values[i];
    to->last = from->last;
    to->multicast |= from->multicast;
    to->bytes += from->bytes;
}

/* The last channel becomes part of the one before, where the two can share. */
static void join_last(swp_roles *r)
{
    const size_t last = r->channels.count - 1;
    swp_role_channel *before = &r->channels.items[last - 1];
    if (before->lead != (int)last - 1 || !can_share(r, before, &r->channels.items[last]))
        return;
    join(before, &r->channels.items[last]);
    r->channels.count--;
}

/* --- Objects --- */

static bool is_object(const swp_roles *r, const char *name)
{
    for (size_t i = 0; i < r->objects.count; i++)
        if (strcmp(r->objects.items[i].name, name) == 0)
            return true;
    return false;
}

/* "full_A_B", of as many channels; a name that another object has gets a number. */
static swp_status name_object(const swp_roles *r, const swp_role_channel *channels, size_t count,
                              const char *what, const char **out)
{
    enum { MOST_NAMED = 4 };
    char *name = NULL;
    swp_text text = {.ctx = r->ctx};
    int named = 0;
    swp_text_format(&text, "%s", what);
    for (size_t c = 0; c < count; c++)
        for (size_t i = 0; i < channels[c].value_count && named < MOST_NAMED; i++, named++)
            swp_text_format(&text, "_%s", r->loop->values[channels[c].values[i]].name);
    SWP_TRY(swp_text_end(&text, &name, NULL));
    const char *plain = name;
    for (int i = 2; is_object(r, name); i++)
        SWP_TRY(swp_format(r->ctx, &name, "%s_%d", plain, i));
    *out = name;
    return SWP_OK;
}

/* One for so many channels, with a slot for each of the versions that any of them has. */
static swp_status add_mbarrier(swp_roles *r, const swp_role_channel *channels, size_t count,
                               const char *what, int *number)
{
    const bool of_tiles = r->plans[channels->role].of_tiles;
    swp_role_object object = {.kind = SWP_OBJECT_MBARRIER,
                              .clock = of_tiles ? SWP_TILE_CLOCK : SWP_PASS_CLOCK};
    for (size_t c = 0; c < count; c++)
        object.slots = channels[c].slots > object.slots ? channels[c].slots : object.slots;
    if (r->objects.count == SWP_MOST_ROLE_OBJECTS)
        return swp_error(r->ctx, SWP_E0705, r->loop->place,
                         "copy values side by side that the same ops use",
                         "the loop takes more than %d mbarriers", SWP_MOST_ROLE_OBJECTS);
    SWP_TRY(name_object(r, channels, count, what, &object.name));
    *number = (int)r->objects.count;
    return SWP_PUSH(r->ctx, &r->objects, object);
}

/* A multicast replaces what the other work groups read, too. */
bool swp_sync_roles_hands_on(const swp_role_channel *channel, int role)
{
    return channel->uses[role].reads && (role != channel->role || channel->multicast);
}

static bool is_handed_on(const swp_roles *r, const swp_role_channel *channel)
{
    for (int role = 0; role < r->plan_count; role++)
        if (swp_sync_roles_hands_on(channel, role))
            return true;
    return false;
}

/* Each channel's slots are given back by themselves. */
static swp_status add_empty(swp_roles *r, swp_role_channel *channel)
{
    channel->early = INT_MAX;
    for (int role = 0; role < r->plan_count; role++) {
        const swp_role_use *use = &channel->uses[role];
        if (!swp_sync_roles_hands_on(channel, role))
            continue;
        const int step = swp_sync_roles_step(&r->plans[role], use->last);
        channel->early = step < channel->early ? step : channel->early;
        if (use->oldest < 0)
            channel->oldest = -channel->slots;
    }
    return is_handed_on(r, channel) ? add_mbarrier(r, channel, 1, "empty", &channel->empty)
                                    : SWP_OK;
}

/* What one op brings, or stores, is full at once. */
static swp_status add_objects(swp_roles *r, size_t lead, size_t count)
{
    swp_role_channel *channels = &r->channels.items[lead];
    bool is_waited_for = channels->copies;
    int full = -1;
    for (size_t i = 0; i < count; i++)
        is_waited_for |= is_handed_on(r, &channels[i]);
    if (is_waited_for)
        SWP_TRY(add_mbarrier(r, channels, count, "full", &full));
    for (size_t i = 0; i < count; i++) {
        channels[i].full = full;
        SWP_TRY(add_empty(r, &channels[i]));
    }
    return SWP_OK;
}

static swp_status add_channels_of(swp_roles *r, int role)
{
    const swp_role_plan *plan = &r->plans[role];
    const size_t begin = r->channels.count;
    for (int i = 0; i < plan->count; i++) {
        if (!swp_ir_loop_makes_in(r->loop, &r->loop->ops[plan->ops[i]], SWP_SPACE_SHARED))
            continue;
        SWP_TRY(add_parts(r, plan->ops[i]));
        const size_t lead = r->channels.count;
        SWP_TRY(add_channels_of_op(r, plan->ops[i]));
        if (lead > begin && r->channels.count == lead + 1)
            join_last(r);
    }
    return SWP_OK;
}

/* --- How late slots are given back --- */

/* The first point at which a role waits for what the channel's ops bring. */
static int first_wait(const swp_roles *r, const swp_role_channel *channel, int role)
{
    int first = channel->uses[role].first;
    for (size_t i = 0; i < r->channels.count; i++) {
        const swp_role_channel *other = &r->channels.items[i];
        if (other->lead == channel->lead && other->uses[role].reads &&
            other->uses[role].first < first)
            first = other->uses[role].first;
    }
    return first;
}

/* Who waits for the next version in a slot has given the slot back. */
static void limit_last(const swp_roles *r, const swp_role_channel *channel)
{
    for (int role = 0; role < r->plan_count; role++) {
        swp_role_use *use = &channel->uses[role];
        const int next = first_wait(r, channel, role) + 2 * r->plans[role].count * channel->reuse;
        if (!use->reads || use->last <= next)
            continue;
        use->last = next > use->done ? next : use->done;
    }
}

swp_status swp_sync_roles_find_channels(swp_roles *r)
{
    for (int role = 0; role < r->plan_count; role++)
        SWP_TRY(add_channels_of(r, role));
    for (size_t i = 0; i < r->channels.count; i++)
        if (r->channels.items[i].reuse > 0)
            limit_last(r, &r->channels.items[i]);
    for (size_t i = 0, next = 0; i < r->channels.count; i = next) {
        for (next = i + 1; next < r->channels.count && r->channels.items[next].lead == (int)i;)
            next++;
        SWP_TRY(add_objects(r, i, next - i));
    }
    return SWP_OK;
}
