package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.footprint.FootprintBuffer;
import io.reprise.log.LogSettings;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.file.StorageException;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import io.reprise.snapshot.SnapshotSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Work on one disk through crashes: in each step some calls at once, at several sites, and with some a change of the schema or
 * a snapshot. Each boot has another number of partitions. A model says what the database should be, or may be where a crash has
 * left calls without an answer.
 */
final class SweepScenario {
    private static final int MOST_CALLS = 5;
    private static final int MOST_PARTITIONS = 4;
    private static final long STEP_NS = 1_000_000;
    private static final long FORCE_EVERY_NS = 4_000_000;

    /** A force is due when the time has passed, and comes with what is done next. */
    private static final long LOST_AT_MOST_NS = FORCE_EVERY_NS + STEP_NS;

    private static final long RETRY_NS = 100_000_000;
    private static final int RETRIES = 4;
    private static final int STEPS_TO_REPAIR = 3;

    /** Its layout; in the second one, segments of the log are used again, with footprints, in the third the log is asynchronous. */
    enum Shape {
        USUAL(24, 32 << 10, 2, 9, true),
        REUSING(72, 21 * 512, 1, 5, true),
        ASYNCHRONOUS(40, 32 << 10, 2, 13, false);

        private final int steps;
        private final LogSettings log;
        private final SnapshotSettings snapshots;
        private final int stepsToASnapshot;

        Shape(int steps, long segmentBytes, int keptSnapshots, int stepsToASnapshot, boolean synchronous) {
            this.steps = steps;
            LogSettings small = SmallDurability.log(segmentBytes);
            log = synchronous ? small : small.asynchronous(FORCE_EVERY_NS);
            snapshots = SmallDurability.snapshots(keptSnapshots);
            this.stepsToASnapshot = stepsToASnapshot;
        }
    }

    private final Shape shape;
    private final LoggingMethod method;
    private final long seed;
    private final long diskSeed;
    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore disk;
    private SweepPorts ports;
    private int partitions;
    private int boots;

    /** The database as it should be behind all steps that have ended. */
    private SweepModel model = new SweepModel();

    /** Of which steps something may be missing, the oldest first: of one, or with an asynchronous log of several. */
    private final List<SweepStep> recent = new ArrayList<>();

    private int steps;
    private long reusedSegments;
    private long largestBatch;

    /** The disk's fault, until it is repaired; null if there is none that callers are told about. */
    private SweepFault refusing;

    /** The same when the step that is under way was begun. */
    private SweepFault refusingAtFirst;

    private int refusedSteps;

    /** Why the last engine has not done everything. */
    private String ended = "";

    SweepScenario(Shape shape, LoggingMethod method, long seed, long diskSeed) {
        this.shape = shape;
        this.method = method;
        this.seed = seed;
        this.diskSeed = diskSeed;
        disk = new SimulatedFileStore(diskSeed);
    }

    SimulatedFileStore disk() {
        return disk;
    }

    long reusedSegments() {
        return reusedSegments;
    }

    /** The largest number of records that the log has written at once. */
    long largestBatch() {
        return largestBatch;
    }

    private Reprise open() {
        // The first boot is the same whatever happens in it, so that the n-th call is always the same one.
        long ofBoot = boots == 0 ? seed : diskSeed + boots;
        boots++;
        partitions = 1 + new SeededRandomness(ofBoot).nextInt(MOST_PARTITIONS);
        int siteCount = 1 + new SeededRandomness(~ofBoot).nextInt(partitions);
        ports = new SweepPorts();
        return Options.create()
                .partitions(partitions)
                .sites(siteCount)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(16 << 20)
                .replay(SmallDurability.replay())
                .ddl(SweepSchema.DDL)
                .siteAgent(ports)
                .files(disk)
                .footprints(new FootprintBuffer.Settings(2, 512, 128, 1))
                .durability(Durability.standard()
                        .with(method)
                        .with(shape.log)
                        .with(shape.snapshots)
                        .withFootprints(shape == Shape.REUSING))
                .open();
    }

    /** Works until everything is done or the disk has ended the engine; returns whether all was done. */
    private boolean work() {
        try (Reprise engine = open()) {
            settle(engine);
            while (steps < shape.steps) {
                if (!step(engine)) {
                    return ended(engine.failure().orElse("nobody knows why"));
                }
            }
            reusedSegments = log(engine).reusedSegments();
            largestBatch = log(engine).largestBatch();
            return true;
        } catch (ProcedureException e) {
            assertThat(e.code())
                    .as(e.getMessage())
                    .isIn(ErrorCode.SHUTTING_DOWN, ErrorCode.OUTCOME_UNKNOWN, ErrorCode.STORAGE_UNAVAILABLE);
            return ended(e.toString());
        } catch (IllegalStateException | StorageException | SimulatedPowerLoss e) {
            return ended(e.toString());
        }
    }

    private boolean ended(String why) {
        checkSaysWhy(why);
        ended = why;
        return false;
    }

    void workToTheEnd() {
        assertThat(work()).as(() -> ended).isTrue();
    }

    /**
     * Works with the fault ordered at a call; then the process ends, and the disk is as the next one finds it. If a
     * call was only refused, and the disk is repaired, the same process may also open it again.
     */
    boolean workUntil(SweepFault fault, long call) {
        return workUntil(fault, call, atEnd -> {});
    }

    /** The same, and has the disk looked at before the process ends. */
    boolean workUntil(SweepFault fault, long call, Consumer<SimulatedFileStore> atEnd) {
        fault.order(disk, call);
        refusing = fault.isRefusal() ? fault : null;
        refusedSteps = 0;
        boolean done = work();
        if (!done && fault.isRefusal() && call % 3 == 0) {
            repair();
            workToTheEnd();
        }
        refusing = null;
        atEnd.accept(disk);
        disk = fault.next(disk, call % 2 == 0);
        return done;
    }

    private void repair() {
        disk.faults().none();
        refusing = null;
    }

    private void checkSaysWhy(String said) {
        if (refusing != null) {
            assertThat(said).containsIgnoringCase(refusing.why());
        }
    }

    /**
     * Opens on what the crash has left, without further faults, and compares; then does what is left to do. Whatever failed
     * before, the power may go then.
     */
    void check() {
        workToTheEnd();
        disk = disk.crash();
        try (Reprise engine = open()) {
            settle(engine);
        }
    }

    /** Finds out how much has happened of what was not answered; and that nothing is missing, and nothing too much. */
    private void settle(Reprise engine) {
        SweepModel.State found = SweepModel.State.of(engine);
        if (recent.isEmpty()) {
            assertThat(found).as("with %d partitions", partitions).isEqualTo(model.state());
            return;
        }
        for (SweepStep step : recent.reversed()) {
            Optional<SweepModel> end = step.end(
                    shape.log.synchronous(), possible -> possible.state().equals(found));
            if (end.isPresent()) {
                model = end.get();
                steps = step.number() + 1;
                recent.clear();
                return;
            }
        }
        assertThat(found)
                .as("with %d partitions, in doubt: %s", partitions, recent)
                .isEqualTo(recent.getFirst().before().state());
    }

    /** Some calls; returns whether the engine is there for more. */
    private boolean step(Reprise engine) {
        clock.advance(STEP_NS);
        refusingAtFirst = refusing;
        SweepStep step = new SweepStep(steps, clock.nanoTime(), model);
        recent.add(step);
        SeededRandomness random = new SeededRandomness(seed * 1_000_003 + steps);
        boolean due = model.changes() < SweepSchema.changes()
                && steps >= (model.changes() + 1) * shape.steps / (SweepSchema.changes() + 1);
        for (int left = 1 + random.nextInt(MOST_CALLS); left > 0; left--) {
            SweepCall call = SweepCall.draw(random, steps, model, due);
            step.add(call);
            ports.send(random.nextInt(partitions), call, engine.procedure(call.procedure()));
        }
        if (due) {
            change(engine, step);
        }
        if (steps % shape.stepsToASnapshot == shape.stepsToASnapshot / 2 + 1) {
            snapshot(engine);
        }
        if (!finish(engine, step)) {
            return false;
        }
        model = step.result();
        steps++;
        if (shape.log.synchronous()) {
            recent.clear();
        } else {
            recent.removeIf(old -> clock.nanoTime() - old.timeNs() > LOST_AT_MOST_NS);
        }
        return true;
    }

    /** Whether it succeeds is another test's; here it is one more reason for calls that fail. */
    private static void snapshot(Reprise engine) {
        try {
            engine.snapshot();
        } catch (ProcedureException e) {
            if (e.code() != ErrorCode.OUTCOME_UNKNOWN) {
                throw e;
            }
        }
    }

    private void change(Reprise engine, SweepStep step) {
        step.changing(true);
        try {
            SweepSchema.change(engine, model.changes());
            step.changed();
        } catch (ProcedureException e) {
            if (e.code() == ErrorCode.STORAGE_UNAVAILABLE) {
                step.changing(false);
                refused(e.getMessage());
            } else if (e.code() != ErrorCode.OUTCOME_UNKNOWN || engine.failure().isPresent()) {
                throw e;
            }
        }
    }

    private void refused(String message) {
        assertThat(refusingAtFirst).as(message).isNotNull();
        assertThat(message).containsIgnoringCase(refusingAtFirst.why());
        refusedSteps++;
    }

    /** Waits until all is answered; a disk that has refused things for a while is repaired. */
    private boolean finish(Reprise engine, SweepStep step) {
        if (!isAnswered(engine, step)) {
            if (engine.failure().isPresent()) {
                return false;
            }
            checkSaysWhy(log(engine).refusesBecause().orElse("nothing"));
            assertThat(log(engine).blocked()).isTrue();
            repair();
            if (!isAnswered(engine, step)) {
                return false;
            }
        }
        for (SweepCall call : step.calls()) {
            if (call.refusal() == ErrorCode.STORAGE_UNAVAILABLE) {
                refused(call.message());
            } else if (call.refusal() == ErrorCode.SHUTTING_DOWN) {
                return false;
            } else {
                assertThat(call.refusal() == null || call.isStale() && step.isChanging())
                        .as("%s", call)
                        .isTrue();
            }
        }
        if (refusedSteps >= STEPS_TO_REPAIR) {
            repair();
            refusedSteps = 0;
            for (int i = 0; i < RETRIES; i++) {
                clock.advance(RETRY_NS);
                engine.runSites();
            }
            assertThat(log(engine).refusesBecause()).isEmpty();
        }
        return engine.failure().isEmpty();
    }

    private boolean isAnswered(Reprise engine, SweepStep step) {
        for (int i = 0; i < RETRIES; i++) {
            engine.runSites();
            if (engine.failure().isPresent()) {
                return false;
            }
            if (!log(engine).blocked()) {
                if (step.isChanging() && step.isInDoubt()) {
                    lookWhatChanged(engine, step);
                }
                if (!step.isInDoubt()) {
                    return true;
                }
            }
            clock.advance(RETRY_NS);
        }
        return false;
    }

    /** Nobody waits for the change any more, and the log has been written to its end. */
    private void lookWhatChanged(Reprise engine, SweepStep step) {
        String now = SweepSchema.text(engine.catalog());
        if (now.equals(SweepSchema.catalogAfter(model.changes() + 1))) {
            step.changed();
        } else {
            assertThat(now).isEqualTo(SweepSchema.catalogAfter(model.changes()));
            step.changing(false);
        }
    }

    private static DurabilityStats.LogState log(Reprise engine) {
        return engine.durabilityStats().orElseThrow().log();
    }
}
