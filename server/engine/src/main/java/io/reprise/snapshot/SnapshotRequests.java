package io.reprise.snapshot;

import io.reprise.runtime.agent.MpscRing;
import io.reprise.runtime.agent.Waker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Requests for snapshots. Any thread adds them; the snapshot's thread takes and completes them. */
final class SnapshotRequests {
    static final int MOST = 256;

    private final MpscRing<CompletableFuture<SnapshotReport>> added;

    /** Requests that the snapshot under way will answer. */
    private List<CompletableFuture<SnapshotReport>> taken = new ArrayList<>();

    SnapshotRequests(Waker waker) {
        added = new MpscRing<>(MOST, waker);
    }

    /** Any thread: adds a request. Returns false if too many wait. */
    boolean add(CompletableFuture<SnapshotReport> request) {
        return added.offer(request);
    }

    boolean isEmpty() {
        return added.isEmpty();
    }

    /** Takes all requests so far, for the snapshot that begins now. */
    void take() {
        CompletableFuture<SnapshotReport> request;
        while ((request = added.poll()) != null) {
            taken.add(request);
        }
    }

    /** Completes the taken requests. */
    void complete(SnapshotReport report) {
        List<CompletableFuture<SnapshotReport>> answered = taken;
        taken = new ArrayList<>();
        answered.forEach(request -> request.complete(report));
    }
}
