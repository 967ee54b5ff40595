package io.reprise.simulation;

/** The meaning of a name in a simulated directory. */
sealed interface SimulatedNode permits SimulatedInode, SimulatedDirectory {}
