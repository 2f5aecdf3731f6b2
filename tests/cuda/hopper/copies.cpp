// SPDX-License-Identifier: Apache-2.0
// Tensor copies between a tensor and shared memory, and bulk stores.
#include "machine.h"

#include <cstring>

namespace
{

// Where each element of a box is in shared memory, and in the tensor, if it is of it.
template <class MOVE> void move_box(work_group &group, const box &b, MOVE move)
{
    const CUtensorMap &m = *b.map;
    const int columns = m.row_bytes / m.element_bytes;
    for (int row = 0; row < m.rows; row++)
        for (int column = 0; column < columns; column++) {
            const int64_t at[] = {b.first[0] + column, b.first[1] + row, b.first[2], b.first[3]};
            bool inside = true;
            int64_t offset = 0;
            for (int i = 0; i < m.of.dimensions; i++) {
                inside &= at[i] >= 0 && uint64_t(at[i]) < m.of.sizes[i];
                offset += at[i] * int64_t(m.of.strides[i]);
            }
            const uint32_t linear =
                b.shared + uint32_t(row * m.row_bytes + column * m.element_bytes);
            char *tensor = static_cast<char *>(const_cast<void *>(m.of.at));
            move(shared_at(group, swizzle(linear, m.row_bytes), size_t(m.element_bytes)),
                 inside ? tensor + offset * m.element_bytes : nullptr, size_t(m.element_bytes));
        }
}

void land(work_group &group, const copy &c)
{
    move_box(group, c.of, [](unsigned char *shared, const char *tensor, size_t bytes) {
        if (tensor)
            std::memcpy(shared, tensor, bytes);
        else
            std::memset(shared, 0, bytes);
    });
    mbarrier &landing = mbarrier_at(group, c.landing);
    landing.bytes -= long(c.of.map->rows) * c.of.map->row_bytes;
    complete(landing);
}

void store(const box &b)
{
    move_box(own(), b, [](const unsigned char *shared, char *tensor, size_t bytes) {
        if (tensor)
            std::memcpy(tensor, shared, bytes);
    });
}

void start_copy_to(int to, uint32_t shared, const CUtensorMap *map, const int (&first)[4],
                   uint32_t landing)
{
    if (landing < MBARRIERS || shared % 128 != 0)
        emulator_fail("a copy without an mbarrier, or not aligned to 128 bytes");
    mbarrier_of_rank(to, landing);
    work_group &group = cluster[size_t(to)];
    group.copies.push_back({{shared, map, {first[0], first[1], first[2], first[3]}}, landing});
    while (!group.copies.empty() && takes_effect_early()) {
        const copy c = group.copies.front();
        group.copies.pop_front();
        land(group, c);
    }
}

} // namespace

// One of the copies for an mbarrier, if there is one in flight.
bool land_one(work_group &group, uint32_t landing)
{
    for (auto c = group.copies.begin(); c != group.copies.end(); ++c)
        if (c->landing == landing) {
            const copy landed = *c;
            group.copies.erase(c);
            land(group, landed);
            return true;
        }
    return false;
}

void start_copy(uint32_t shared, const CUtensorMap *map, const int (&first)[4], uint32_t landing)
{
    start_copy_to(rank, shared, map, first, landing);
}

// PTX ISA, "cp.async.bulk.tensor", .multicast::cluster: it comes to each of these at the same place, and to the mbarrier there.
void start_multicast(unsigned ranks, uint32_t shared, const CUtensorMap *map, const int (&first)[4],
                     uint32_t landing)
{
    if (omitted == omission::multicast)
        ranks = 1U << rank;
    if (ranks == 0 || ranks >> cluster.size() != 0)
        emulator_fail("a copy to work groups that are not in the cluster");
    for (int to = 0; to < int(cluster.size()); to++)
        if (ranks >> to & 1)
            start_copy_to(to, shared, map, first, landing);
}

void start_store(const CUtensorMap *map, const int (&first)[4], uint32_t shared)
{
    if (shared % 128 != 0)
        emulator_fail("a store that is not aligned to 128 bytes");
    const box b = {shared, map, {first[0], first[1], first[2], first[3]}};
    if (takes_effect_early())
        store(b);
    else
        self().stores.back().push_back(b);
}

void store_commit()
{
    self().stores.emplace_back();
}

void store_wait_read(int newest)
{
    std::deque<std::vector<box>> &groups = self().stores;
    if (omitted == omission::store_wait)
        return;
    while (int(groups.size()) - 1 > newest) {
        for (const box &b : groups.front())
            store(b);
        groups.pop_front();
    }
}

void store_word(uint32_t shared, uint32_t word)
{
    std::memcpy(shared_at(own(), shared, sizeof word), &word, sizeof word);
}
