package io.reprise.node;

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
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Loads a snapshot into all partitions, side by side. Each has two threads, one that loads rows and one that builds the
 * indexes behind it, so that few partitions make use of more cores.
 */
final class SnapshotLoading {
    private static final long WAIT_NS = 1_000_000;
    private static final long ROWS_WAIT_NS = 50_000;

    private SnapshotLoading() {}

    /** Loads; throws what the first partition to fail has thrown. */
    static void load(
            Options options,
            FileStore files,
            Manifest manifest,
            List<PartitionStore> stores,
            RecoveryReporter reporter) {
        LoadProgress progress = new LoadProgress();
        if (options.threads == Options.Threads.CALLER) {
            for (PartitionStore store : stores) {
                try (SnapshotLoader loader = new SnapshotLoader(files, manifest, store, progress)) {
                    loader.run();
                }
            }
            return;
        }
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<LoadAgent> loads = new ArrayList<>();
        List<IndexAgent> builds = new ArrayList<>();
        try {
            for (PartitionStore store : stores) {
                SnapshotLoader loader = new SnapshotLoader(files, manifest, store, progress);
                loads.add(new LoadAgent(loader, store));
                builds.add(new IndexAgent(loader.indexes(), store));
            }
            run(options, loads, builds, failure, () -> reporter.loaded(progress.rows()));
        } finally {
            loads.forEach(agent -> agent.loader.close());
        }
        rethrow(failure.get());
        // If rows contradict each other, what the loader has found out says more: a block may be damaged.
        builds.forEach(agent -> rethrow(agent.problem));
    }

    private static void run(
            Options options,
            List<LoadAgent> loads,
            List<IndexAgent> builds,
            AtomicReference<Throwable> failure,
            Runnable report) {
        List<Agent> agents = new ArrayList<>(loads);
        agents.addAll(builds);
        List<AgentRunner> runners = agents.stream()
                .map(agent -> new AgentRunner(
                        options.name,
                        agent,
                        new BusySpinIdleStrategy(),
                        options.clock,
                        (where, cause) -> failure.compareAndSet(null, cause)))
                .toList();
        try {
            runners.forEach(AgentRunner::start);
            while (failure.get() == null
                    && !(loads.stream().allMatch(agent -> agent.done)
                            && builds.stream().allMatch(agent -> agent.done))) {
                report.run();
                LockSupport.parkNanos(WAIT_NS);
            }
        } finally {
            runners.forEach(AgentRunner::close);
        }
    }

    private static void rethrow(Throwable failure) {
        switch (failure) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(failure);
        }
    }

    /** Loads one partition. */
    private static final class LoadAgent implements Agent {
        private final SnapshotLoader loader;
        private final PartitionStore store;
        private volatile boolean done;

        LoadAgent(SnapshotLoader loader, PartitionStore store) {
            this.loader = loader;
            this.store = store;
        }

        @Override
        public String roleName() {
            return "load-" + store.options().partition();
        }

        @Override
        public int doWork(long nowNs) {
            if (done) {
                LockSupport.parkNanos(WAIT_NS);
                return 0;
            }
            if (!loader.step()) {
                done = true;
            }
            return 1;
        }
    }

    /** Builds one partition's indexes. */
    private static final class IndexAgent implements Agent {
        private final IndexBuild build;
        private final PartitionStore store;
        private RuntimeException problem;
        private volatile boolean done;

        IndexAgent(IndexBuild build, PartitionStore store) {
            this.build = build;
            this.store = store;
        }

        @Override
        public String roleName() {
            return "index-" + store.options().partition();
        }

        @Override
        public int doWork(long nowNs) {
            if (done) {
                LockSupport.parkNanos(WAIT_NS);
                return 0;
            }
            int count = 0;
            try {
                count = build.step();
            } catch (RuntimeException e) {
                problem = e;
            }
            if (problem != null || build.isDone()) {
                done = true;
            } else if (count == 0) {
                LockSupport.parkNanos(ROWS_WAIT_NS);
            }
            return count;
        }
    }
}
