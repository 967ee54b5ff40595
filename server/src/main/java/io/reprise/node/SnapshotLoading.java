package io.reprise.node;

import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.AgentRunner;
import io.reprise.runtime.agent.BusySpinIdleStrategy;
import io.reprise.runtime.file.FileStore;
import io.reprise.snapshot.file.LoadProgress;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotLoader;
import io.reprise.storage.PartitionStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** Loads a snapshot into all partitions, side by side. */
final class SnapshotLoading {
    private static final long WAIT_NS = 1_000_000;

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
        List<LoadAgent> agents = new ArrayList<>();
        List<AgentRunner> runners = new ArrayList<>();
        for (PartitionStore store : stores) {
            LoadAgent agent = new LoadAgent(new SnapshotLoader(files, manifest, store, progress), store);
            agents.add(agent);
            runners.add(new AgentRunner(
                    options.name,
                    agent,
                    new BusySpinIdleStrategy(),
                    options.clock,
                    (where, cause) -> failure.compareAndSet(null, cause)));
        }
        try {
            runners.forEach(AgentRunner::start);
            while (failure.get() == null && !agents.stream().allMatch(agent -> agent.done)) {
                reporter.loaded(progress.rows());
                LockSupport.parkNanos(WAIT_NS);
            }
        } finally {
            runners.forEach(AgentRunner::close);
            agents.forEach(agent -> agent.loader.close());
        }
        rethrow(failure.get());
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
}
