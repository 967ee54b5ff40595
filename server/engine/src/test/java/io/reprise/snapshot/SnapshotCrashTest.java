package io.reprise.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.simulation.DiskFaults;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.SnapshotReader;
import io.reprise.storage.PartitionStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/**
 * Each call to the disk that the making of a snapshot makes fails once, or the power goes in it: there is always a valid
 * snapshot with what was true at its moment, and the next one succeeds.
 */
class SnapshotCrashTest {
    /** Two snapshots, one kept: the second one removes the first. */
    private static final int SNAPSHOTS = 2;

    private static SnapshotSettings settings() {
        return new SnapshotSettings(0, 0, 1, 1, 1, 1_000, 4096, 2, 1 << 20, 64 << 10, 0);
    }

    /** The truth at the moment of each snapshot, by its transaction's id. */
    private static final class Truth {
        final Map<Long, Map<String, String>> images = new TreeMap<>();
        final List<Long> succeeded = new ArrayList<>();
        int failed;
    }

    private static void run(SnapshotRig rig, Random random, int snapshots, Truth truth) {
        RandomLoad load = new RandomLoad(rig, random);
        for (int i = 0; i < snapshots; i++) {
            for (int transaction = 0; transaction < 5; transaction++) {
                load.transaction();
            }
            truth.images.put(rig.transactionId + 1, rig.images());
            SnapshotReport report = rig.snapshot();
            if (report.succeeded()) {
                truth.succeeded.add(report.transactionId());
            } else {
                truth.failed++;
                assertThat(report.problem()).isNotEmpty();
            }
        }
    }

    private static long callsOfARun() {
        SimulatedFileStore files = new SimulatedFileStore(1);
        try (SnapshotRig rig = new SnapshotRig(2, settings(), files)) {
            new RandomLoad(rig, new Random(5)).fill(25);
            run(rig, new Random(6), SNAPSHOTS, new Truth());
        }
        return files.calls();
    }

    @Test
    void shouldKeepOlderSnapshotsAndGoOnWhenAnyCallFails() {
        long calls = callsOfARun();
        assertThat(calls).isGreaterThan(40);
        for (long call = 1; call <= calls; call++) {
            SimulatedFileStore files = new SimulatedFileStore(call);
            Truth truth = new Truth();
            try (SnapshotRig rig = new SnapshotRig(2, settings(), files)) {
                new RandomLoad(rig, new Random(5)).fill(25);
                files.faults().failCall(call);
                run(rig, new Random(6), SNAPSHOTS, truth);
                assertThat(truth.failed).as("failures with call %s", call).isLessThanOrEqualTo(1);
                assertThat(truth.succeeded).hasSizeGreaterThanOrEqualTo(SNAPSHOTS - 1);
                run(rig, new Random(7), 1, truth);
                rig.assertNoMarks();
                rig.stores.forEach(PartitionStore::verify);
            }
            assertNewestIsTrue(files, truth, "failing call " + call);
            assertThat(new SnapshotDirectory(files).list()).hasSizeLessThanOrEqualTo(2);
        }
    }

    @Test
    void shouldFindAValidSnapshotWhenThePowerGoesInAnyCall() {
        crashInEachCall((files, call) -> files.faults().powerLossAtCall(call));
    }

    /** The call fails, and later the power goes: the failed call's effect may be lost or there. */
    @Test
    void shouldFindAValidSnapshotWhenAnyCallFailsAndThePowerGoesLater() {
        crashInEachCall((files, call) -> {
            DiskFaults faults = files.faults();
            faults.failCall(call);
            faults.powerLossAtCall(call + 4);
        });
    }

    /** Its files may go before it loses its name, unless that is seen to. */
    @Test
    void shouldBeWholeOrGoneWhenThePowerGoesWhileItIsRemoved() {
        Seeds.forEach(100, seed -> {
            SimulatedFileStore files = new SimulatedFileStore(seed);
            long id;
            try (SnapshotRig rig = new SnapshotRig(2, settings(), files)) {
                id = rig.snapshot().transactionId();
            }
            files.faults().powerLossAtCall(1 + Math.floorMod(seed, 8));

            try {
                new SnapshotDirectory(files).remove(id);
            } catch (SimulatedPowerLoss expected) {
                // Its effect may be lost.
            }

            SimulatedFileStore next = files.crash();
            for (long named : new SnapshotDirectory(next).list()) {
                new SnapshotReader(next).verify(named);
            }
        });
    }

    private static void crashInEachCall(BiConsumer<SimulatedFileStore, Long> fault) {
        long calls = callsOfARun();
        for (long call = 1; call <= calls; call++) {
            SimulatedFileStore files = new SimulatedFileStore(call);
            Truth truth = new Truth();
            try (SnapshotRig rig = new SnapshotRig(2, settings(), files)) {
                new RandomLoad(rig, new Random(5)).fill(25);
                fault.accept(files, call);
                run(rig, new Random(6), SNAPSHOTS, truth);
            } catch (SimulatedPowerLoss expected) {
                // The process is gone.
            }
            SimulatedFileStore next = files.crash();
            assertNewestIsTrue(next, truth, "power loss in call " + call);
            restart(next, truth, call);
        }
    }

    private static void restart(SimulatedFileStore files, Truth truth, long call) {
        try (SnapshotRig rig = new SnapshotRig(2, settings(), files)) {
            rig.transactionId = 1_000_000;
            new RandomLoad(rig, new Random(5)).fill(20);
            run(rig, new Random(8), 1, truth);
        }
        assertThat(truth.succeeded.getLast()).isGreaterThan(1_000_000);
        assertNewestIsTrue(files, truth, "restart after call " + call);
        assertThat(files.list(SnapshotDirectory.ROOT))
                .as("files after a restart after call %s", call)
                .allMatch(name -> name.length() == 16);
    }

    /**
     * The newest valid snapshot is at least as new as the last one that was reported, and each that has a name, also one that is being
     * removed, is what was true.
     */
    private static void assertNewestIsTrue(SimulatedFileStore files, Truth truth, String when) {
        SnapshotReader reader = new SnapshotReader(files);
        SnapshotReader.Choice choice = reader.choose();
        assertThat(choice.damaged()).as(when).isEmpty();
        if (truth.succeeded.isEmpty() && choice.newest().isEmpty()) {
            return;
        }
        long id = choice.newest()
                .orElseThrow(() -> new AssertionError("no snapshot after " + when))
                .identity()
                .transactionId();
        if (!truth.succeeded.isEmpty()) {
            assertThat(id).as(when).isGreaterThanOrEqualTo(truth.succeeded.getLast());
        }
        for (long named : new SnapshotDirectory(files).list()) {
            Manifest whole = reader.verify(named);
            assertThat(SnapshotRig.images(files, whole)).as(when).isEqualTo(truth.images.get(named));
        }
    }

    @Test
    void shouldSayWhyAndGoOnWhenTheDiskIsFull() {
        SimulatedFileStore files = new SimulatedFileStore(3);
        Truth truth = new Truth();
        try (SnapshotRig rig = new SnapshotRig(2, settings(), files)) {
            new RandomLoad(rig, new Random(5)).fill(500);
            run(rig, new Random(6), 1, truth);
            files.faults().budget(Long.MAX_VALUE - files.usableBytes("") + 20_000);

            SnapshotReport report = rig.snapshot();

            assertThat(report.succeeded()).isFalse();
            assertThat(report.problem())
                    .contains("snapshot/", ".partial/partition-")
                    .containsIgnoringCase("no space");
            assertThat(files.list(SnapshotDirectory.ROOT)).hasSize(1);
            assertThat(rig.agent.stats().lastProblem()).isEqualTo(report.problem());
            assertThat(rig.agent.stats().failed()).isEqualTo(1);
            assertNewestIsTrue(files, truth, "a full disk");

            files.faults().budget(Long.MAX_VALUE);
            run(rig, new Random(7), 1, truth);
            assertThat(truth.succeeded).hasSize(2);
            assertNewestIsTrue(files, truth, "space again");
        }
    }

    @Test
    void shouldSayWhyWhenTheDiskIsReadOnly() {
        SimulatedFileStore files = new SimulatedFileStore(3);
        try (SnapshotRig rig = new SnapshotRig(1, settings(), files)) {
            files.faults().readOnly(true);

            SnapshotReport report = rig.snapshot();

            assertThat(report.succeeded()).isFalse();
            assertThat(report.problem()).contains("read-only");
        }
    }
}
