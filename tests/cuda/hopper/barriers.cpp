// SPDX-License-Identifier: Apache-2.0
// Named barriers, mbarriers, also of other work groups, and the barrier of a cluster.
#include "machine.h"

#include <algorithm>

namespace
{

int generations, missing; // of the cluster's barrier; threads that have not come to the next one

template <class WHICH> void forget_remote(mbarrier &m, WHICH which)
{
    m.remote.erase(std::remove_if(m.remote.begin(), m.remote.end(), which), m.remote.end());
}

// PTX ISA, "barrier.cluster": all threads of the cluster that have not ended. What they did before is done for all then.
void one_has_come()
{
    if (--missing > 0)
        return;
    for (work_group &group : cluster) {
        missing += group.running;
        for (auto &m : group.mbarriers)
            forget_remote(m.second, [](remote_arrival a) { return a.generation <= generations; });
    }
    generations++;
}

bool omits_generation(int generation)
{
    return omitted == omission::first_cluster_barrier ||
           (omitted == omission::last_cluster_barrier && generation > 0);
}

void arrive(mbarrier &m, int bytes)
{
    if (m.pending == 0)
        emulator_fail("an arrival more than the phase has");
    m.bytes += bytes;
    m.pending--;
    complete(m);
}

} // namespace

void complete(mbarrier &m)
{
    if (m.pending == 0 && m.bytes == 0) {
        m.pending = m.arrivals;
        m.phases++;
    }
}

// Its address is the same in all work groups: so is the variable.
mbarrier &mbarrier_at(work_group &group, uint32_t address)
{
    const auto m = group.mbarriers.find(address);
    if (m == group.mbarriers.end())
        emulator_fail("an mbarrier that is not initialised");
    return m->second;
}

// As a thread reaches it. PTX ISA, "mbarrier.init", "fence.mbarrier_init": others know it behind a fence and a barrier of the cluster.
mbarrier &mbarrier_of_rank(int of, uint32_t address)
{
    work_group &group = cluster[size_t(of)];
    if (group.running == 0)
        emulator_fail("an access to a block that has ended");
    mbarrier &m = mbarrier_at(group, address);
    if (of != rank && !m.fenced)
        emulator_fail("an mbarrier of another block without a fence behind its initialisation");
    if (of != rank && self().cluster_waits <= m.known_from)
        emulator_fail("an mbarrier of another block that the cluster has not met to initialise");
    return m;
}

void named_sync(int id, int count)
{
    barrier &b = own().barriers[id];
    const int generation = b.generations;
    if (++b.arrived == count) {
        b.arrived = 0;
        b.generations++;
    }
    wait_until([&b, generation] { return b.generations != generation; });
}

void mbarrier_init(unsigned long long *at, int arrivals)
{
    if (omitted == omission::remote_release_and_count && arrivals % int(cluster.size()) == 0)
        arrivals /= int(cluster.size());
    mbarrier m;
    m.arrivals = m.pending = arrivals;
    m.initialised_by = &self();
    m.known_from = self().cluster_arrives;
    own().mbarriers[shared_address(at)] = m;
}

void mbarrier_init_fence()
{
    for (auto &m : own().mbarriers)
        if (m.second.initialised_by == &self())
            m.second.fenced = omitted != omission::init_fence;
}

void mbarrier_arrive(unsigned long long *at, int bytes)
{
    if (omitted == omission::release && bytes == 0)
        return;
    arrive(mbarrier_at(own(), shared_address(at)), bytes);
}

void mbarrier_arrive_rank(unsigned long long *at, int of)
{
    if (of != rank &&
        (omitted == omission::remote_release || omitted == omission::remote_release_and_count))
        return;
    mbarrier &m = mbarrier_of_rank(of, shared_address(at));
    if (of != rank)
        m.remote.push_back({m.phases, self().cluster_arrives});
    arrive(m, 0);
}

// PTX ISA, "mbarrier.test_wait": of the current phase, and of the one before, the parity says which.
void mbarrier_wait(unsigned long long *at, int parity)
{
    if (omitted == omission::phase_wait)
        return;
    work_group &group = own();
    const uint32_t address = shared_address(at);
    mbarrier &m = mbarrier_at(group, address);
    wait_until([&group, &m, address, parity] {
        while (m.phases % 2 == parity)
            if (!land_one(group, address))
                return false;
        return true;
    });
    forget_remote(m, [&m](remote_arrival a) { return a.phase < m.phases; });
}

int cluster_rank()
{
    return rank;
}

void start_cluster_barrier()
{
    generations = missing = 0;
    for (const work_group &group : cluster)
        missing += group.running;
}

void cluster_arrive()
{
    thread &t = self();
    if (omits_generation(t.cluster_arrives)) {
        if (omitted == omission::first_cluster_barrier)
            named_sync(0, int(own().threads.size()));
        return;
    }
    if (t.cluster_arrives++ != t.cluster_waits)
        emulator_fail("an arrival at the cluster's barrier without a wait for the one before");
    one_has_come();
}

void cluster_wait()
{
    const int generation = self().cluster_waits;
    if (omits_generation(generation))
        return;
    if (generation == self().cluster_arrives)
        emulator_fail("a wait at the cluster's barrier without an arrival");
    wait_until([generation] { return generations > generation; });
    self().cluster_waits++;
}

void thread_ends()
{
    if (self().cluster_arrives != self().cluster_waits)
        emulator_fail("a thread ends between its arrival at the cluster's barrier and its wait");
    one_has_come();
}
