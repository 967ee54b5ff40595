package io.reprise.engine;

import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.AgentRunner;
import io.reprise.runtime.agent.BusySpinIdleStrategy;
import io.reprise.runtime.file.FileStore;
import io.reprise.snapshot.file.LoadProgress;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotLoader;
import io.reprise.storage.IndexBuild;
import io.reprise.storage.PartitionStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * Loads a snapshot into all partitions, side by side. Each has three threads, for the three stages of a {@link
 * SnapshotLoader}, so that few partitions make use of more cores.
 */
final class SnapshotLoading {
    private static final long WAIT_NS = 1_000_000;
    private static final long STAGE_WAIT_NS = 50_000;
    private static final String INDEX = "index-";

    private SnapshotLoading() {}

    /**
     * Loads; throws what the first partition to fail has thrown.
     *
     * @param replicatedOnly whether rows of partitioned tables are left out
     * @param threads says afterwards whether any of those that load is still at work in the partitions
     */
    static void load(
            EngineSettings settings,
            RecoveryThreads threads,
            FileStore files,
            Manifest manifest,
            List<PartitionStore> stores,
            boolean replicatedOnly,
            RecoveryReporter reporter) {
        LoadProgress progress = new LoadProgress();
        if (!settings.hasThreads()) {
            for (PartitionStore store : stores) {
                try (SnapshotLoader loader = loader(files, part(manifest, store), store, progress, replicatedOnly)) {
                    loader.run();
                }
            }
            return;
        }
        List<SnapshotLoader> loaders = new ArrayList<>();
        try {
            for (PartitionStore store : stores) {
                loaders.add(loader(files, part(manifest, store), store, progress, replicatedOnly));
            }
            run(threads, stages(loaders), () -> reporter.loaded(progress.rows()));
        } finally {
            if (threads.haveEnded()) {
                loaders.forEach(SnapshotLoader::close);
            }
        }
    }

    /** The part of a snapshot that a partition needs. */
    private static Manifest part(Manifest manifest, PartitionStore store) {
        return manifest.isByPartition() ? manifest.parts().get(store.options().partition()) : manifest;
    }

    private static SnapshotLoader loader(
            FileStore files, Manifest manifest, PartitionStore store, LoadProgress progress, boolean replicatedOnly) {
        return replicatedOnly
                ? new SnapshotLoader(files, manifest, store, progress, bucket -> false)
                : new SnapshotLoader(files, manifest, store, progress);
    }

    private static List<Stage> stages(List<SnapshotLoader> loaders) {
        List<Stage> stages = new ArrayList<>();
        for (int i = 0; i < loaders.size(); i++) {
            SnapshotLoader loader = loaders.get(i);
            stages.add(new Stage("read-" + i, loader.feed()::step, loader.feed()::isDone));
            stages.add(new Stage("load-" + i, loader::step, loader::isDone));
        }
        for (int i = 0; i < loaders.size(); i++) {
            IndexBuild indexes = loaders.get(i).indexes();
            stages.add(new Stage(INDEX + i, indexes::step, indexes::isDone));
        }
        return stages;
    }

    private static void run(RecoveryThreads threads, List<Stage> stages, Runnable report) {
        List<AgentRunner> runners = stages.stream()
                .map(stage ->
                        threads.runner("", stage, new BusySpinIdleStrategy(), (where, cause) -> stage.failed(cause)))
                .toList();
        try {
            runners.forEach(AgentRunner::start);
            while (!isOver(stages)) {
                report.run();
                LockSupport.parkNanos(WAIT_NS);
            }
        } finally {
            threads.end(runners);
        }
        // In the order of the stages: if rows contradict each other, what was found out about their blocks says more.
        stages.forEach(stage -> rethrow(stage.problem));
        threads.requireEnded();
    }

    /** Whether all are through, or one can't go on; an index that refuses rows lets the others find out why. */
    private static boolean isOver(List<Stage> stages) {
        boolean over = true;
        for (Stage stage : stages) {
            if (stage.problem != null && !stage.role.startsWith(INDEX)) {
                return true;
            }
            over &= stage.over;
        }
        return over;
    }

    private static void rethrow(Throwable failure) {
        switch (failure) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(failure);
        }
    }

    /** One of the three stages of a partition's loading. */
    private static final class Stage implements Agent {
        private final String role;
        private final IntSupplier step;
        private final BooleanSupplier done;
        private volatile Throwable problem;
        private volatile boolean over;

        Stage(String role, IntSupplier step, BooleanSupplier done) {
            this.role = role;
            this.step = step;
            this.done = done;
        }

        @Override
        public String roleName() {
            return role;
        }

        @Override
        public int doWork(long nowNs) {
            int count = over ? 0 : step.getAsInt();
            if (!over && done.getAsBoolean()) {
                over = true;
            } else if (count == 0) {
                LockSupport.parkNanos(over ? WAIT_NS : STAGE_WAIT_NS);
            }
            return count;
        }

        void failed(Throwable cause) {
            problem = cause;
            over = true;
        }
    }
}
