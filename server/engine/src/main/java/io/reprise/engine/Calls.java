package io.reprise.engine;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Execution;
import io.reprise.execution.Work;
import io.reprise.execution.deploy.Arguments;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The way of a call from its caller to a site and of its outcome back: checks, routes and sends it, waits, sends it again if
 * a change of the schema overtook it, and tells callers without an answer why, and whether the call may have run.
 *
 * <p>Used by the callers' threads, which are the only ones that wait here.
 */
final class Calls {
    /** The most attempts of a call that changes of the schema keep overtaking. */
    private static final int STALE_RETRIES = 10;

    private final EngineSettings settings;
    private final SiteThreads threads;
    private final Sites sites;
    private final Optional<Persistence> persistence;
    private final EngineMeters meters;
    private final AtomicBoolean closing = new AtomicBoolean();
    private Predicate<Execution> passes = call -> false;

    Calls(
            EngineSettings settings,
            SiteThreads threads,
            Sites sites,
            Optional<Persistence> persistence,
            EngineMeters meters) {
        this.settings = settings;
        this.threads = threads;
        this.sites = sites;
        this.persistence = persistence;
        this.meters = meters;
    }

    /** Runs a work as a transaction and waits for its end. */
    Reply run(Supplier<? extends Work> work, Object... arguments) {
        return run(RunLimits.NONE, work, arguments);
    }

    /** The same within limits. */
    Reply run(RunLimits limits, Supplier<? extends Work> work, Object... arguments) {
        if (threads.isSiteThread()) {
            throw new IllegalStateException(
                    "a site's thread can't wait for the engine, which waits for that thread: use"
                            + " callAsync, or a ClientPort of the site");
        }
        Execution execution = null;
        for (int attempt = 0; attempt < STALE_RETRIES; attempt++) {
            CallerReply reply = new CallerReply();
            execution = new Execution(Arguments.of(arguments)).prepare(work.get(), reply, 0);
            limit(execution, limits);
            submit(execution, limits);
            if (!threads.await(reply)) {
                throw unanswered(execution.work().name());
            }
            if (!execution.outcome().stale()) {
                break;
            }
        }
        return answer(execution);
    }

    /** The same without waiting, with the arguments as they are now; the future gives the outcome, also of a transaction that did not commit. */
    CompletableFuture<Reply> start(Supplier<? extends Work> work, Object... arguments) {
        return start(RunLimits.NONE, work, arguments);
    }

    /** The same within limits. */
    CompletableFuture<Reply> start(RunLimits limits, Supplier<? extends Work> work, Object... arguments) {
        Work first = work.get();
        Object[] sent = Arguments.copies(arguments);
        FutureReply reply = new FutureReply(
                settings.threads().replies(),
                this::answer,
                STALE_RETRIES - 1,
                again -> sendAgain(limits, work, again, sent));
        Execution execution = new Execution(Arguments.of(sent)).prepare(first, reply, 0);
        limit(execution, limits);
        threads.expect(reply);
        submit(execution, limits);
        return reply.future();
    }

    /** The same for a work that is not sent again if a change of the schema overtakes it. */
    CompletableFuture<Reply> startOnce(RunLimits limits, Executor replies, Work work, Object... arguments) {
        FutureReply reply = new FutureReply(replies, this::answer, 0, again -> {});
        Execution execution = new Execution(Arguments.of(arguments)).prepare(work, reply, 0);
        limit(execution, limits);
        threads.expect(reply);
        submit(execution, limits);
        return reply.future();
    }

    /** Sends a call that a change of the schema overtook to what the procedure is now. */
    private void sendAgain(RunLimits limits, Supplier<? extends Work> work, FutureReply reply, Object... arguments) {
        Execution execution = new Execution(Arguments.of(arguments));
        try {
            execution.prepare(work.get(), reply, 0);
        } catch (ProcedureException refusal) {
            execution.prepare(null, reply, 0).refuse(refusal.code(), refusal.getMessage());
            return;
        }
        limit(execution, limits);
        submit(execution, limits);
    }

    private static void limit(Execution execution, RunLimits limits) {
        execution.request().limitResult(limits.largestResult());
        execution.request().cancelBy(limits.cancellation());
    }

    /** Waits for what the engine's agents complete. */
    <T> T await(String name, CompletableFuture<T> future) {
        if (threads.isSiteThread()) {
            throw new IllegalStateException("a site's thread can't wait for " + name);
        }
        if (!threads.await(future)) {
            throw unanswered(name);
        }
        return future.join();
    }

    /** The first participant of a work with these arguments; it is not run. */
    int partitionOf(Work work, Object... arguments) {
        Execution execution = new Execution(Arguments.of(arguments)).prepare(work, new CallerReply(), 0);
        work.checkArguments(execution);
        work.route(execution, sites.buckets());
        return execution.participant(0);
    }

    /** The map of the moment. */
    BucketMap buckets() {
        return sites.buckets();
    }

    /** Runs an action while all partitions are held. */
    void administer(String name, Runnable action) {
        run(() -> new AdministrationWork(name, action)).orThrow();
    }

    /** The same for an action that is about no rows. */
    void administerWithoutRows(String name, Runnable action) {
        run(() -> new AdministrationWork(name, action).withoutRows()).orThrow();
    }

    /** Before the first call: takes routed calls that other nodes run. */
    void passBy(Predicate<Execution> taker) {
        passes = taker;
    }

    /** Checks and routes a call and sends it to a site that takes part. */
    void submit(Execution execution) {
        submit(execution, RunLimits.NONE);
    }

    /** The same; a call of a session, which has limits, may go to another node of the cluster. */
    private void submit(Execution execution, RunLimits limits) {
        if (isClosed(execution)) {
            return;
        }
        execution.admitted(settings.clock().nanoTime());
        try {
            execution.work().checkArguments(execution);
            execution.work().route(execution, sites.buckets());
        } catch (ProcedureException refusal) {
            meters.refused(refusal.code());
            execution.refuse(refusal.code(), refusal.getMessage());
            return;
        }
        if (limits.equals(RunLimits.NONE) || !passes.test(execution)) {
            send(execution);
        }
    }

    /** Sends a routed call of another node to a site that takes part. */
    void submitRouted(Execution execution) {
        if (!isClosed(execution)) {
            execution.admitted(settings.clock().nanoTime());
            send(execution);
        }
    }

    private boolean isClosed(Execution execution) {
        boolean closed = closing.get() || !threads.isAlive();
        if (closed) {
            meters.refused(ErrorCode.SHUTTING_DOWN);
            execution.refuse(ErrorCode.SHUTTING_DOWN, "the engine is closed; the call was not run");
        }
        return closed;
    }

    private void send(Execution execution) {
        if (sites.callsOverNodes(execution)) {
            return;
        }
        int site = sites.siteOf(execution.participant(0));
        if (!sites.initiator(site).offer(execution)) {
            meters.refused(ErrorCode.OVERLOADED);
            execution.refuse(ErrorCode.OVERLOADED, overloaded(execution.participant(0)));
        }
    }

    private String overloaded(int partition) {
        String why = persistence
                .flatMap(p -> p.room().whyWaiting(settings.clock().nanoTime()))
                .map(reason -> ", and " + reason)
                .orElse("");
        return settings.sites().inboundCapacity() + " calls wait for partition " + partition + " already" + why
                + "; try again later";
    }

    /** The caller's reply. A call that was refused because the engine ends has the reason. */
    private Reply answer(Execution execution) {
        if (execution.outcome().error() == ErrorCode.SHUTTING_DOWN) {
            execution
                    .outcome()
                    .fail(ErrorCode.SHUTTING_DOWN, execution.outcome().message() + threads.whyEnded());
        }
        return new Reply(execution);
    }

    /** The exception for a caller that has waited in vain. */
    ProcedureException unanswered(String name) {
        if (!threads.isAlive()) {
            return new ProcedureException(
                    ErrorCode.OUTCOME_UNKNOWN,
                    "the engine ended before " + name + " was answered; whether it ran is unknown"
                            + threads.whyEnded());
        }
        String why = persistence
                .filter(p -> p.room().isBlocked())
                .flatMap(p -> p.room().whyWaiting(settings.clock().nanoTime()))
                .orElse("the engine waits for time to pass, and no thread runs it");
        return new ProcedureException(
                ErrorCode.OUTCOME_UNKNOWN,
                name + " has no answer yet, because " + why
                        + ". It may still take effect when the engine is run again (by runSites, or the next call)");
    }

    /**
     * From now on calls are refused; waits until those that were sent have run and are answered, as far as they can be: with a
     * log that can't be written they would wait for room on the disk. Returns false if this is not the first time.
     *
     * @param standStill whether partitions run nothing until the next start, so that nothing is waited for
     */
    boolean finish(BooleanSupplier standStill) {
        if (!closing.compareAndSet(false, true)) {
            return false;
        }
        for (int site = 0; site < sites.count() && threads.isAlive(); site++) {
            finish(site, standStill);
        }
        return true;
    }

    /** Waits until what had been sent to this site's initiator has run: a transaction behind it has. */
    private void finish(int site, BooleanSupplier standStill) {
        CallerReply reply = new CallerReply();
        Execution last = new Execution(new Arguments())
                .prepare(new AdministrationWork("close", () -> {}).withoutRows(), reply, 0);
        last.work().route(last, sites.buckets());
        BooleanSupplier answering = () -> !standStill.getAsBoolean()
                && persistence.filter(p -> p.room().isBlocked()).isEmpty();
        while (!sites.initiator(site).offer(last)) {
            if (!threads.isAlive() || !answering.getAsBoolean()) {
                return;
            }
            threads.makeRoom();
        }
        threads.await(reply, answering);
    }

    /** After {@link #finish}: one work more. Gives why it didn't succeed; nothing if it did, or was not waited for. */
    Optional<String> runLast(Work work, BooleanSupplier patience) {
        CallerReply reply = new CallerReply();
        Execution last = new Execution(new Arguments()).prepare(work, reply, 0);
        work.route(last, sites.buckets());
        boolean ended = patience.getAsBoolean()
                && sites.initiator(0).offer(last)
                && threads.await(reply, patience)
                && !last.outcome().succeeded();
        return ended ? Optional.of(last.outcome().message()) : Optional.empty();
    }
}
