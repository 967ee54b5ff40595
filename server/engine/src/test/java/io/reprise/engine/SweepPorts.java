package io.reprise.engine;

import io.reprise.execution.Execution;
import io.reprise.execution.Work;
import io.reprise.runtime.agent.Agent;
import io.reprise.txn.initiator.ClientPort;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Function;

/** Through which a {@link SweepScenario} makes calls: one port for each site, so that several initiators stamp them. */
final class SweepPorts implements SiteAgent {
    private static final int CALLS = 64;

    private final List<Port> ports = new ArrayList<>();

    @Override
    public Agent create(int site, Function<Integer, ClientPort> clientPorts) {
        Port port = new Port(clientPorts.apply(CALLS));
        ports.add(port);
        return port;
    }

    /** Leaves a call with one of the sites, which takes it when it is run. */
    void send(int site, SweepCall call, Work work) {
        ports.get(site % ports.size()).left.add(new Left(call, work));
    }

    private record Left(SweepCall call, Work work) {}

    private static final class Port implements Agent {
        private final ClientPort port;
        private final Queue<Left> left = new ArrayDeque<>();
        private final SweepCall[] underWay = new SweepCall[CALLS];

        Port(ClientPort port) {
            this.port = port;
        }

        @Override
        public String roleName() {
            return "sweep-calls";
        }

        @Override
        public int doWork(long nowNs) {
            int work = 0;
            while (!left.isEmpty() && port.hasFree()) {
                send(left.remove());
                work++;
            }
            for (Execution ended = port.poll(); ended != null; ended = port.poll()) {
                underWay[ended.number()].answer();
                underWay[ended.number()] = null;
                port.release(ended);
                work++;
            }
            return work;
        }

        private void send(Left next) {
            Execution execution = port.acquire(next.work, 0);
            underWay[execution.number()] = next.call;
            next.call.begin(execution);
            port.submit(execution);
            next.call.sent();
        }
    }
}
