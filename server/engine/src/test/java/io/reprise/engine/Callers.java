package io.reprise.engine;

import io.reprise.execution.Execution;
import io.reprise.execution.Work;
import io.reprise.execution.deploy.Arguments;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.agent.Agent;
import io.reprise.txn.initiator.ClientPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Several clients of an engine, which call it at its sites without waiting for each other, so that one batch of the log has the
 * records of several calls; their calls may have numbers. The same callers serve each opening of a database, one after the other.
 */
final class Callers {
    private static final int AT_ONCE = 64;

    private final List<SiteCaller> sites = new CopyOnWriteArrayList<>();

    /**
     * A call.
     *
     * @param site at which it is made, where there are so many
     * @param sequence the client's number of it; 0: it has none
     * @param acknowledged the client knows the outcomes of all its calls with lower numbers
     */
    record Call(int site, long client, long sequence, long acknowledged, String procedure, Object... arguments) {
        @Override
        public String toString() {
            return procedure + (sequence == 0 ? "" : " as number " + sequence + " of " + Long.toHexString(client))
                    + " at " + site;
        }
    }

    /**
     * The outcome of a call.
     *
     * @param id the transaction's; 0 if it was refused before it began
     * @param kind its result, or the reason of its failure
     * @param value its result, if that is kept
     * @param writeHash of its writes; 0 if there were none
     */
    record Answer(long id, String kind, long value, long writeHash) {
        private static Answer of(Execution ended) {
            if (!ended.outcome().succeeded()) {
                return failed(ended.id(), ended.outcome().error());
            }
            long writeHash =
                    ended.outcome().hasRunBefore() ? 0 : ended.outcome().writeHash();
            return new Answer(ended.id(), ended.outcome().result().kind().name(), value(ended), writeHash);
        }

        private static Answer failed(long id, ErrorCode why) {
            return new Answer(id, why.name(), 0, 0);
        }

        private static long value(Execution ended) {
            return switch (ended.outcome().result().kind()) {
                case INTEGER, BOOLEAN, DOUBLE -> ended.outcome().result().word();
                default -> 0;
            };
        }

        boolean wrote() {
            return writeHash != 0;
        }

        /** The answer to the call when it comes again. */
        String again() {
            return kind.equals("STRING") || kind.equals("ROWS")
                    ? failed(0, ErrorCode.RESULT_LOST).shown()
                    : shown();
        }

        String shown() {
            return kind + " " + value;
        }

        String shownWithHash() {
            return shown() + " " + Long.toHexString(writeHash);
        }
    }

    /** Makes the agent of a site of an engine that is being opened. */
    Agent at(int site, Function<Integer, ClientPort> ports) {
        if (site == 0) {
            sites.clear();
        }
        sites.add(new SiteCaller(site, ports.apply(AT_ONCE)));
        return sites.getLast();
    }

    /** Makes calls at once, at most {@link #AT_ONCE}, and waits for all of their answers. */
    List<Answer> run(Reprise engine, List<Call> calls) {
        List<Waiting> waiting = new ArrayList<>();
        for (Call call : calls) {
            Waiting each = new Waiting(call, engine);
            waiting.add(each);
            sites.get(call.site % sites.size()).add(each);
        }
        engine.runSites();
        return waiting.stream()
                .map(each -> each.answer.orTimeout(60, TimeUnit.SECONDS).join())
                .toList();
    }

    /** A call that has no answer yet. */
    private record Waiting(Call call, Reprise engine, CompletableFuture<Answer> answer) {
        Waiting(Call call, Reprise engine) {
            this(call, engine, new CompletableFuture<>());
        }
    }

    /** Those who call at one site. */
    private static final class SiteCaller implements Agent {
        private final int site;
        private final ClientPort port;
        private final Queue<Waiting> newCalls = new ConcurrentLinkedQueue<>();
        private final Waiting[] underWay = new Waiting[AT_ONCE];

        SiteCaller(int site, ClientPort port) {
            this.site = site;
            this.port = port;
        }

        void add(Waiting call) {
            newCalls.add(call);
            if (port.waker() != null) {
                port.waker().wake();
            }
        }

        @Override
        public String roleName() {
            return "callers-" + site;
        }

        @Override
        public int doWork(long nowNs) {
            int count = 0;
            for (Waiting next = newCalls.poll(); next != null; next = newCalls.poll()) {
                submit(next);
                count++;
            }
            for (Execution ended = port.poll(); ended != null; ended = port.poll()) {
                underWay[ended.number()].answer.complete(Answer.of(ended));
                port.release(ended);
                count++;
            }
            return count;
        }

        private void submit(Waiting waiting) {
            Call call = waiting.call;
            Work work;
            try {
                work = waiting.engine.procedure(call.procedure);
            } catch (ProcedureException noSuch) {
                waiting.answer.complete(Answer.failed(0, noSuch.code()));
                return;
            }
            Execution execution = port.acquire(work, 0);
            Arguments arguments = execution.request().arguments();
            for (Object value : call.arguments) {
                arguments.addObject(value);
            }
            if (call.sequence != 0) {
                execution.request().once(call.client, call.sequence, call.acknowledged);
            }
            underWay[execution.number()] = waiting;
            port.submit(execution);
        }
    }
}
