# SPDX-License-Identifier: Apache-2.0
"""Operations and dependence edges (docs/descriptions.md, "body" and "edges")."""

from dataclasses import dataclass, replace


class SpecError(Exception):
    """The specification says that this configuration is an error."""


# ResourceKind
GLOBAL_MEM, LDS, MMA_UNIT, SCALAR, VALU = 0, 1, 2, 3, 4
# OpRole
GLOBAL_LOAD, SHARED_STORE, FRAGMENT_LOAD, COMPUTE, SYNC, FENCE, VALU_COMPUTE = range(7)
# KOffsetKind
K0, K1, K_NEXT, K_PREV = 0, 1, 2, 3
NONE = 255
# DepKind
FLOW, ANTI, OUTPUT = 0, 1, 2
# infrastructure tags
BARRIER, WAIT_VM, WAIT_LGKM, SET_PRIO, SCHEDULE_BARRIER, SCHED_GROUP_BARRIER = range(128, 134)


@dataclass(frozen=True)
class Op:
    """OpDesc; vm and lgkm costs always come from the config here."""

    tag: int
    stage: int = 0
    subtile: int = 0
    k: int = NONE
    wait: int = 0
    resource: int = NONE
    latency: int = 0
    role: int = NONE
    channel: int = -1
    vgpr_def: int = 0
    vgpr_kill: int = 0

    @property
    def is_prefetch(self):
        """Prefetch predicate: k_offset is neither K_PREV nor NONE."""
        return self.k not in (K_PREV, NONE)


def barrier():
    """Factory: SCALAR, SYNC."""
    return Op(BARRIER, resource=SCALAR, role=SYNC)


def wait_vm(count):
    """Factory: SCALAR, SYNC, count in wait_value."""
    return Op(WAIT_VM, wait=count, resource=SCALAR, role=SYNC)


def wait_lgkm(count):
    """Factory: SCALAR, SYNC, count in wait_value."""
    return Op(WAIT_LGKM, wait=count, resource=SCALAR, role=SYNC)


def set_prio(level):
    """Factory: SCALAR, FENCE, level in wait_value."""
    return Op(SET_PRIO, wait=level, resource=SCALAR, role=FENCE)


def schedule_barrier():
    """Factory: SCALAR, FENCE."""
    return Op(SCHEDULE_BARRIER, resource=SCALAR, role=FENCE)


def sched_group_barrier(mask, count):
    """Factory: mask in subtile, count in wait_value."""
    return Op(SCHED_GROUP_BARRIER, subtile=mask, wait=count, resource=SCALAR, role=FENCE)


@dataclass(frozen=True)
class OpCost:
    """What a cost model says of one tag."""

    resource: int
    latency: int
    role: int
    vgpr_def: int = 0
    vgpr_kill: int = 0


def annotate_ops(ops, costs):
    """annotate_ops: stamp five fields on ops with tag < 128."""
    out = []
    for op in ops:
        cost = costs.get(op.tag)
        if op.tag < 128:
            cost = cost or OpCost(NONE, 0, NONE)
            op = replace(op, resource=cost.resource, latency=cost.latency, role=cost.role,
                         vgpr_def=cost.vgpr_def, vgpr_kill=cost.vgpr_kill)
        out.append(op)
    return out


@dataclass(frozen=True)
class Edge:
    """DepEdge."""

    producer: int
    consumer: int
    kind: int
    distance: int

    def as_list(self):
        return [self.producer, self.consumer, self.kind, self.distance]


@dataclass(frozen=True)
class EdgeRule:
    """One row of the rule tables."""

    producer_role: int
    consumer_role: int
    kind: int
    distance: int
    match_channel: bool = False
    match_stage: bool = False
    match_subtile: bool = False
    use_config_match: bool = False
    same_half: bool = False
    cross_half: bool = False
    producer_half: int = -1
    k_offset_filter: int = 0
    producer_loop_carried: int = -1
    consumer_loop_carried: int = -1
    producer_ordinal: int = -1
    consumer_ordinal: int = -1
    first_match_only: bool = False


DOUBLE_BUFFER_RULES = (
    EdgeRule(FRAGMENT_LOAD, COMPUTE, FLOW, 0, same_half=True, use_config_match=True),
    EdgeRule(COMPUTE, COMPUTE, FLOW, 0, match_stage=True, match_subtile=True, cross_half=True,
             producer_half=0),
    EdgeRule(COMPUTE, COMPUTE, FLOW, 1, match_stage=True, match_subtile=True, cross_half=True,
             producer_half=1),
    EdgeRule(GLOBAL_LOAD, FRAGMENT_LOAD, FLOW, -1, match_channel=True, match_stage=True),
    EdgeRule(FRAGMENT_LOAD, GLOBAL_LOAD, ANTI, 0, match_channel=True, match_stage=True,
             k_offset_filter=2),
)

SINGLE_BUFFER_RULES = (
    EdgeRule(FRAGMENT_LOAD, COMPUTE, FLOW, 0, match_subtile=True, producer_loop_carried=0,
             consumer_loop_carried=0, first_match_only=True),
    EdgeRule(SYNC, SHARED_STORE, FLOW, 0, producer_ordinal=0),
    EdgeRule(SHARED_STORE, SYNC, FLOW, 0, consumer_ordinal=1),
    EdgeRule(SYNC, FRAGMENT_LOAD, FLOW, 0, producer_ordinal=1, consumer_loop_carried=1),
    EdgeRule(FRAGMENT_LOAD, SYNC, ANTI, 0, producer_loop_carried=0, consumer_ordinal=0),
    EdgeRule(FRAGMENT_LOAD, COMPUTE, FLOW, 1, producer_loop_carried=1, consumer_loop_carried=1),
    EdgeRule(GLOBAL_LOAD, SHARED_STORE, FLOW, 1),
    EdgeRule(FRAGMENT_LOAD, SHARED_STORE, ANTI, 1, producer_loop_carried=1),
)


def half_of(index, count):
    """Half of an op: 0 when its index < n/2 (integer quotient), else 1."""
    return 0 if index < count // 2 else 1


def compute_match_key(op, channel, config):
    """compute_match_key: the compute op's row or column for a channel."""
    match_field = config["ch0_match_field"] if channel == 0 else config["ch1_match_field"]
    return op.stage if match_field == 0 else op.subtile


class _RuleContext:
    """What a rule asks about an op of a body: half, ordinal in its role, loop-carried."""

    def __init__(self, body, config):
        self.body, self.config = body, config
        seen, self.ordinal = {}, []
        for op in body:
            self.ordinal.append(seen.get(op.role, 0))
            seen[op.role] = seen.get(op.role, 0) + 1

    def loop_carried(self, op):
        selector = self.config["loop_carried"]
        return selector is not None and op.subtile == selector

    def op_fits(self, index, role, ordinal, carried):
        op = self.body[index]
        return (op.role == role and ordinal in (-1, self.ordinal[index])
                and carried in (-1, int(self.loop_carried(op))))

    def pair_fits(self, rule, p, c):
        producer, consumer = self.body[p], self.body[c]
        half_p, half_c = half_of(p, len(self.body)), half_of(c, len(self.body))
        if p == c:
            return False
        if rule.match_channel and producer.channel != consumer.channel:
            return False
        if rule.match_stage and producer.stage != consumer.stage:
            return False
        if rule.match_subtile and producer.subtile != consumer.subtile:
            return False
        if rule.same_half and half_p != half_c or rule.cross_half and half_p == half_c:
            return False
        if rule.producer_half not in (-1, half_p):
            return False
        if rule.k_offset_filter == 1 and consumer.k != K_PREV:
            return False
        if rule.k_offset_filter == 2 and consumer.k == K_PREV:
            return False
        if rule.use_config_match:
            key = compute_match_key(consumer, producer.channel, self.config)
            return half_c == producer.stage and key == producer.subtile
        return True


def apply_edge_rules(body, config, rules):
    """apply_edge_rules: rule by rule, producers, then consumers in body order."""
    context, edges = _RuleContext(body, config), []
    for rule in rules:
        for p, producer in enumerate(body):
            if not context.op_fits(p, rule.producer_role, rule.producer_ordinal,
                                   rule.producer_loop_carried):
                continue
            distance = rule.distance
            if distance == -1:
                distance = 0 if producer.k == K_PREV else 1
            for c in range(len(body)):
                if (context.op_fits(c, rule.consumer_role, rule.consumer_ordinal,
                                    rule.consumer_loop_carried)
                        and context.pair_fits(rule, p, c)):
                    edges.append(Edge(p, c, rule.kind, distance))
                    if rule.first_match_only:
                        break
    return edges


def derive_edges_from_ops(body, config):
    """derive_edges_from_ops."""
    rules = SINGLE_BUFFER_RULES if config["depth"] == 1 else DOUBLE_BUFFER_RULES
    return apply_edge_rules(body, config, rules)


def is_cross_stage_fragment(body, index):
    """A fragment load with subtile 0 whose stage is not its own half."""
    op = body[index]
    return (op.role == FRAGMENT_LOAD and op.subtile == 0
            and op.stage != half_of(index, len(body)))


def filter_spurious_cross_stage_flow(body, edges):
    """Drop FLOW from a cross-stage fragment load to a COMPUTE of its half."""
    def spurious(edge):
        return (edge.kind == FLOW and is_cross_stage_fragment(body, edge.producer)
                and body[edge.consumer].role == COMPUTE
                and half_of(edge.producer, len(body)) == half_of(edge.consumer, len(body)))
    return [edge for edge in edges if not spurious(edge)]


def derive_cross_stage_rotation_edges(body):
    """FLOW to the other half's row or column 0, ANTI from the same half's."""
    edges, count = [], len(body)
    for f, frag in enumerate(body):
        if not is_cross_stage_fragment(body, f):
            continue
        for c, compute in enumerate(body):
            line = compute.stage if frag.channel == 0 else compute.subtile
            if compute.role != COMPUTE or line != 0:
                continue
            if half_of(f, count) == half_of(c, count):
                edges.append(Edge(c, f, ANTI, 0))
            else:
                edges.append(Edge(f, c, FLOW, 0 if half_of(f, count) == 0 else 1))
    return edges
