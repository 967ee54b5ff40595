package io.reprise.engine;

import io.reprise.simulation.DiskFaults.Refusal;
import io.reprise.simulation.SimulatedFileStore;

/** A fault at a call to the disk, and the end of the process. */
enum SweepFault {
    POWER_LOSS(null, false),
    ERROR_THEN_POWER_LOSS(null, false),
    ERROR_THEN_KILL(null, false),
    /** One call is refused. */
    FULL_FOR_A_CALL(Refusal.FULL, false),
    READ_ONLY_FOR_A_CALL(Refusal.READ_ONLY, false),
    /** So are the later ones, until somebody makes room, or mounts the disk again. */
    FULL(Refusal.FULL, true),
    READ_ONLY(Refusal.READ_ONLY, true);

    private final Refusal refusal;
    private final boolean lasting;

    SweepFault(Refusal refusal, boolean lasting) {
        this.refusal = refusal;
        this.lasting = lasting;
    }

    boolean isRefusal() {
        return refusal != null;
    }

    /** The reason that callers are given. */
    String why() {
        return refusal == Refusal.FULL ? "no space left" : "read-only";
    }

    /** The number of the disk's calls so far at which it can happen. */
    long calls(SimulatedFileStore disk) {
        return isRefusal() ? disk.refusableCalls() : disk.calls();
    }

    void order(SimulatedFileStore disk, long call) {
        if (this == POWER_LOSS) {
            disk.faults().powerLossAtCall(call);
        } else if (!isRefusal()) {
            disk.faults().failCall(call);
        } else if (lasting) {
            disk.faults().refuseFromCall(call, refusal);
        } else {
            disk.faults().refuseCall(call, refusal);
        }
    }

    /** The end of the process, after which there is nothing wrong with the disk. */
    SimulatedFileStore next(SimulatedFileStore disk, boolean kill) {
        disk.faults().none();
        return this == ERROR_THEN_KILL || isRefusal() && kill ? disk.kill() : disk.crash();
    }
}
