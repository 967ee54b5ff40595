package io.reprise.engine;

import io.reprise.execution.work.TapeEntry;
import io.reprise.execution.work.TapeWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Runs the transactions of sessions. A change of the schema that overtakes one has its statements planned again. Any thread.
 */
final class Tapes {
    private final EngineSchema schema;
    private final Calls calls;

    Tapes(EngineSchema schema, Calls calls) {
        this.schema = schema;
        this.calls = calls;
    }

    TapeReply run(List<TapeStep> steps, boolean preview, long nowMicros, long key, RunLimits limits) {
        Attempt attempt = new Attempt();
        Reply reply = calls.run(limits, () -> attempt.make(steps, preview, nowMicros, key));
        return attempt.reply(reply);
    }

    /** The same without waiting. */
    CompletableFuture<TapeReply> start(
            List<TapeStep> steps, boolean preview, long nowMicros, long key, RunLimits limits) {
        Attempt attempt = new Attempt();
        return calls.start(limits, () -> attempt.make(steps, preview, nowMicros, key))
                .thenApply(attempt::reply);
    }

    /** Starts a tape that is not repeated if a change of the schema overtakes it. Empty: a statement of it is not planned. */
    Optional<CompletableFuture<TapeReply>> startOnce(
            RunLimits limits, Executor replies, List<TapeStep> steps, boolean preview, long nowMicros, long key) {
        for (TapeStep step : steps) {
            if (!step.isReady(schema)) {
                return Optional.empty();
            }
        }
        Attempt attempt = new Attempt();
        TapeWork work = attempt.make(steps, TapeStep::readyEntry, preview, nowMicros, key);
        return Optional.of(calls.startOnce(limits, replies, work).thenApply(attempt::reply));
    }

    /** The newest of several attempts. */
    private final class Attempt {
        private TapeWork work;
        private List<TapeEntry> entries;

        TapeWork make(List<TapeStep> steps, boolean preview, long nowMicros, long key) {
            return make(steps, step -> step.entry(schema), preview, nowMicros, key);
        }

        TapeWork make(
                List<TapeStep> steps, Function<TapeStep, TapeEntry> made, boolean preview, long nowMicros, long key) {
            entries = new ArrayList<>();
            for (TapeStep step : steps) {
                entries.add(made.apply(step));
            }
            work = new TapeWork(entries, preview, nowMicros, key);
            return work;
        }

        TapeReply reply(Reply reply) {
            return new TapeReply(
                    reply.error(),
                    reply.message(),
                    reply.subject(),
                    reply.isOvertaken(),
                    work.conflict(),
                    work.failed(),
                    entries);
        }
    }
}
