package io.reprise.simulation;

import java.util.TreeMap;

/** A directory's names: as the running system sees them, and as they are on the medium. */
final class SimulatedDirectory implements SimulatedNode {
    final TreeMap<String, SimulatedNode> cached = new TreeMap<>();
    final TreeMap<String, SimulatedNode> durable = new TreeMap<>();
}
