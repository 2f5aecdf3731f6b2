# SPDX-License-Identifier: Apache-2.0
"""Results: typed, complete, and the same as the command's."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest
import swp
from swp._decode import Record


def records_in(value: Any) -> Iterator[Record]:
    if isinstance(value, Record):
        yield value
        for each in dataclasses.fields(value):
            yield from records_in(getattr(value, each.name))
    elif isinstance(value, tuple):
        for each in value:
            yield from records_in(each)


def parts_of(schedule: swp.Schedule) -> Iterator[Any]:
    yield from (schedule.loop, schedule.roles, schedule.sync_objects, schedule.pipeline, schedule.body, schedule.edges)
    yield from (schedule.metrics, schedule.sync, schedule.role_sync)


NAMES = ("single_buffer", "pingpong", "fourwave", "gemm_fragments", "gemm_tile", "gemm_ws", "stencil")


@pytest.mark.parametrize("name", NAMES)
def test_every_key_has_a_field(name: str) -> None:
    schedule = swp.compile(name, proof="waived")
    results = [*parts_of(schedule), schedule.verify(repairs=False), schedule.simulate(), schedule.run(seeds=1)]
    results += [schedule.explain()] if name in ("pingpong", "gemm_ws", "gemm_fragments") else []
    for each in records_in(tuple(results)):
        assert not each.extra, f"{type(each).__name__} lacks {', '.join(each.extra)}"


def test_every_key_of_a_comparison_has_a_field(unsafe: swp.Schedule, roles: swp.Schedule) -> None:
    repaired = swp.compile("fourwave", settings={"schedule.sync": "derived"})
    fewer = swp.compile("gemm_ws", settings={"loop.slots": 3})
    for diff in (swp.diff(unsafe, repaired), swp.diff(roles, fewer)):
        for each in records_in(diff):
            assert not each.extra, f"{type(each).__name__} lacks {', '.join(each.extra)}"


def test_lists(pingpong: swp.Schedule) -> None:
    assert [len(pingpong.prologue), len(pingpong.kernel), len(pingpong.epilogue)] == [10, 70, 58]
    assert pingpong.kernel[1] == swp.Entry(
        tag=3, name="MMA_LOAD_A", role="fragment_load", wait=0, subtile=0, stage=0, k_offset="none", channel=0,
        prefetch=False, vm_cost=0, lgkm_cost=0,
    )  # fmt: skip
    assert sorted(pingpong.order) == list(range(len(pingpong.body)))
    assert pingpong.pipeline is None and pingpong.role_sync is None


def test_warp_roles(roles: swp.Schedule) -> None:
    assert [each.name for each in roles.roles] == ["producer", "consumer"]
    assert roles.role("consumer").instances == 2
    assert roles.sync_objects[0].kind == "mbarrier"
    with pytest.raises(ValueError, match="producer, consumer"):
        _ = roles.kernel
    with pytest.raises(KeyError, match="'loader' is none of the roles 'producer', 'consumer'"):
        roles.role("loader")
    assert roles.role("producer").kernel[0].object == "empty_A_B"


def test_the_pipeline_says_what_holds_it(roles: swp.Schedule) -> None:
    pipeline = roles.pipeline
    assert pipeline and pipeline.proven and pipeline.interval == pipeline.bound == 1024
    assert pipeline.held_by and (pipeline.held_by.unit, pipeline.held_by.ops) == (
        "mma_unit",
        ("MMA", "MMA of instance 1"),
    )
    assert pipeline.stages == 2
    held = swp.compile("gemm_fragments").pipeline
    assert held and held.held_by and held.held_by.cycle[0].distance >= 0


def test_a_refutation_says_what_has_no_room() -> None:
    pipeline = swp.compile("gemm_tile", settings={"loop.slots": 2}).pipeline
    assert pipeline and pipeline.held_by and pipeline.held_by.core
    core = pipeline.held_by.core
    assert pipeline.held_by.refuted == pipeline.interval - 1 and core.minimal
    assert [(use.op, use.unit) for use in core.uses] == [("LOAD_A", "global_mem"), ("LOAD_B", "global_mem")]
    assert [(each.value, each.slots) for each in core.slots] == [("A", 2), ("B", 2)]
    assert {each.why for each in core.dependences} == {"reads", "replaces"}


def test_hazards(unsafe: swp.Schedule) -> None:
    verdict = unsafe.verify()
    assert not verdict and not verdict.safe and len(verdict.hazards) == 8
    first = verdict.hazards[0]
    assert (first.kind, first.phase, first.entry, first.name) == ("overwritten", "kernel", 10, "LOAD_B")
    assert first.place and first.place.channel == 1
    assert first.other and first.other.phase == "prologue"
    assert first.slack_cycles == 23
    assert "unsafe" in str(verdict)


def test_accepted_hazards(unsafe: swp.Schedule) -> None:
    hazards = unsafe.verify(repairs=False).hazards
    words = [f"{each.kind}:{each.phase}:{each.entry}" for each in hazards]
    for verdict in (unsafe.verify(accept=hazards, repairs=False), unsafe.verify(accept=words, repairs=False)):
        assert verdict and not verdict.safe and verdict.accepted == 8
    with pytest.raises(ValueError, match="kind:phase:entry"):
        unsafe.verify(accept=["overwritten:kernel"])


def test_counterexamples(unsafe: swp.Schedule, pingpong: swp.Schedule) -> None:
    hazard = unsafe.verify(repairs=False).hazards[1]
    assert "an accumulator that is not the loop's" in unsafe.replay(unsafe.counterexample(hazard))
    with pytest.raises(ValueError, match="pingpong is safe"):
        pingpong.counterexample()
    with pytest.raises(swp.InvalidError):
        pingpong.replay(unsafe.counterexample())


def test_cycles(pingpong: swp.Schedule, roles: swp.Schedule) -> None:
    simulation = pingpong.simulate()
    assert simulation.cycles_per_pass == simulation.cycles / simulation.passes == 454
    slower = pingpong.simulate(occupancy_lds=8)
    assert slower.cycles_per_pass > simulation.cycles_per_pass
    assert pingpong.simulate(load_latency=200).cycles_per_pass > simulation.cycles_per_pass
    assert {each.role for each in roles.simulate().instances} == {"producer", "consumer"}


def test_runs(unsafe: swp.Schedule) -> None:
    runs = unsafe.run((2, 4), seeds=8)
    assert [each.n for each in runs.sizes] == [2, 4]
    assert not runs and runs.first and runs.wrong
    with pytest.raises(ValueError, match="adversarial"):
        unsafe.run(timing="slow")  # type: ignore[arg-type]


def test_explanations(pingpong: swp.Schedule) -> None:
    reasons = {each.entry: each for each in pingpong.explain().sync if each.list == "kernel"}
    needs = reasons[3].needs
    assert needs and needs[0].kind == "overwritten"


def test_comparisons(unsafe: swp.Schedule, pingpong: swp.Schedule) -> None:
    diff = swp.diff(unsafe, swp.compile("fourwave", settings={"schedule.sync": "derived"}))
    assert diff.effect.safe and not diff.a.safe and len(diff.effect.gone) == 8
    assert any(row.with_ and row.with_.gone for row in diff.kernel)
    assert swp.diff(pingpong, pingpong).alike


def test_headers_and_formats(pingpong: swp.Schedule, unsafe: swp.Schedule) -> None:
    assert "#define PINGPONG_KERNEL(ctx, kb)" in pingpong.header()
    with pytest.raises(swp.InfeasibleError):
        unsafe.header()
    assert "hazard" in unsafe.header(allow_unsafe=True)
    assert pingpong.emit("dot").startswith('digraph "pingpong"')
    assert str(pingpong) == pingpong.emit("text")
    with pytest.raises(ValueError, match="there is no format 'png': choose one of"):
        pingpong.emit("png")


def test_problems() -> None:
    op: dict[str, Any] = {"name": "a", "latency": 3, "uses": [{"resource": "alu", "amount": 1, "cycles": 3}]}
    problem: dict[str, Any] = {
        "swp": 1,
        "name": "p",
        "problem": "makespan",
        "resources": [{"name": "alu", "capacity": 1}],
        "ops": [op, {**op, "name": "b"}],
        "edges": [],
    }
    answer = swp.solve(problem)
    assert not answer.extra
    assert (answer.status, answer.value, answer.bound) == ("optimal", 6, 6)
    assert answer.times is not None and sorted(answer.times) == [0, 3]
    with pytest.raises(swp.InvalidError, match="E08"):
        swp.solve({**problem, "edges": [{"producer": 0, "consumer": 7}]})
