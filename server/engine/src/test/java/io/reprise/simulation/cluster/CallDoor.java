package io.reprise.simulation.cluster;

import io.reprise.engine.SiteAgent;
import io.reprise.execution.Execution;
import io.reprise.execution.Work;
import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.agent.Agent;
import io.reprise.txn.initiator.ClientPort;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Function;

/** The numbered calls of simulated clients at one run of a node. */
final class CallDoor implements SiteAgent {
    private static final int CALLS = 64;

    private final List<Port> ports = new ArrayList<>();

    /** A numbered call and its answer. */
    static final class Call {
        final Work work;
        final long client;
        final long sequence;
        final long[] numbers;
        final String text;
        boolean isAnswered;

        /** Null if it committed. */
        ErrorCode error;

        String message;
        long result;

        Call(Work work, long client, long sequence, String text, long... numbers) {
            this.work = work;
            this.client = client;
            this.sequence = sequence;
            this.text = text;
            this.numbers = numbers;
        }
    }

    @Override
    public Agent create(int site, Function<Integer, ClientPort> clientPorts) {
        Port port = new Port(clientPorts.apply(CALLS));
        ports.add(port);
        return port;
    }

    void send(Call call, int site) {
        ports.get(site % ports.size()).left.add(call);
    }

    private static final class Port implements Agent {
        private final ClientPort port;
        private final Queue<Call> left = new ArrayDeque<>();
        private final Call[] underWay = new Call[CALLS];

        Port(ClientPort port) {
            this.port = port;
        }

        @Override
        public String roleName() {
            return "door";
        }

        @Override
        public int doWork(long nowNs) {
            int work = 0;
            while (!left.isEmpty() && port.hasFree()) {
                send(left.remove());
                work++;
            }
            for (Execution ended = port.poll(); ended != null; ended = port.poll()) {
                Call call = underWay[ended.number()];
                call.isAnswered = true;
                call.error = ended.outcome().error();
                call.message = ended.outcome().message();
                call.result = call.error == null ? ended.outcome().result().word() : 0;
                port.release(ended);
                work++;
            }
            return work;
        }

        private void send(Call call) {
            Execution execution = port.acquire(call.work, 0);
            underWay[execution.number()] = call;
            for (long number : call.numbers) {
                execution.request().arguments().add(number);
            }
            if (call.text != null) {
                execution.request().arguments().add(call.text);
            }
            if (call.sequence > 0) {
                execution.request().once(call.client, call.sequence, call.sequence);
            }
            port.submit(execution);
        }
    }
}
