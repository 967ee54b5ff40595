package io.reprise.simulation;

/**
 * The simulated machine is off: thrown out of the call in which the power was lost, and out of each later one. An
 * error, so that no code under test handles it as a failure of the disk.
 */
public final class SimulatedPowerLoss extends Error {
    private static final long serialVersionUID = 1L;

    SimulatedPowerLoss(String message) {
        super(message);
    }
}
