package io.reprise.simulation.engines;

import io.reprise.cluster.Link;
import io.reprise.cluster.Links;
import io.reprise.engine.Reply;
import io.reprise.engine.Reprise;
import io.reprise.runtime.agent.Agent;
import io.reprise.simulation.engines.Message.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Takes calls from links to an engine and sends the replies back. */
final class Door implements Agent {
    private final Reprise engine;
    private final Links links;
    private final List<Link> open = new ArrayList<>();
    private final ArrayDeque<Sent> replies = new ArrayDeque<>();

    private record Sent(Link link, byte[] frame) {}

    Door(Reprise engine, Links links) {
        this.engine = engine;
        this.links = links;
    }

    @Override
    public String roleName() {
        return "door";
    }

    @Override
    public int doWork(long nowNs) {
        int work = 0;
        for (Link link = links.accept(); link != null; link = links.accept()) {
            open.add(link);
            work++;
        }
        for (Link link : open) {
            byte[] frame = link.receive();
            if (frame != null) {
                call(link, Message.decode(frame));
                work++;
            }
        }
        open.removeIf(link -> link.state() == Link.State.CLOSED);
        for (Sent reply = replies.poll(); reply != null; reply = replies.poll()) {
            reply.link.send(reply.frame, 0, reply.frame.length);
            work++;
        }
        return work;
    }

    private void call(Link link, Message call) {
        Object[] arguments = call.kind() == Kind.DEPOSIT
                ? new Object[] {call.value(), call.account()}
                : new Object[] {call.account()};
        String procedure = call.kind() == Kind.DEPOSIT ? "Deposit" : "Balance";
        engine.callAsync(procedure, arguments).whenComplete((response, failure) -> {
            boolean committed = failure == null && response.committed();
            long value = committed && call.kind() == Kind.READ ? balance(response) : 0;
            Kind kind = committed ? Kind.COMMITTED : Kind.FAILED;
            replies.add(new Sent(link, new Message(call.number(), kind, call.account(), value).encode()));
        });
    }

    private static long balance(Reply response) {
        response.rows().next();
        return response.rows().longAt(0);
    }
}
