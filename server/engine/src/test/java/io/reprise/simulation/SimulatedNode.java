package io.reprise.simulation;

/** What a name in a simulated directory stands for. */
sealed interface SimulatedNode permits SimulatedInode, SimulatedDirectory {}
