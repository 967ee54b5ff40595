package io.reprise.simulation.engines;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.Link;
import io.reprise.cluster.Links;
import io.reprise.runtime.Randomness;
import io.reprise.runtime.agent.Agent;
import io.reprise.simulation.engines.Message.Kind;

/**
 * A client with an account of its own: deposits ones, reads, and checks each balance between the deposits that were
 * acknowledged and those that were sent. A call without a reply may have taken effect; the client goes on without it.
 */
final class Depositor implements Agent {
    private static final long PATIENCE_NS = 200_000_000;

    private final String node;
    private final int account;
    private final Links links;
    private final Randomness random;
    private final int calls;
    private Link link;
    private Message waiting;
    private long sinceNs;
    private int numbers;
    private long sent;
    private long acknowledged;
    private long acknowledgedBefore;

    Depositor(String node, int account, Links links, Randomness random, int calls) {
        this.node = node;
        this.account = account;
        this.links = links;
        this.random = random;
        this.calls = calls;
    }

    @Override
    public String roleName() {
        return "depositor-" + account;
    }

    int account() {
        return account;
    }

    boolean isDone() {
        return numbers == calls && waiting == null;
    }

    void check(long balance) {
        assertThat(balance).as("account %d at %s", account, node).isBetween(acknowledged, sent);
    }

    @Override
    public int doWork(long nowNs) {
        if (waiting != null) {
            return takeReply(nowNs);
        }
        if (numbers == calls) {
            return 0;
        }
        if (link == null || link.state() == Link.State.CLOSED) {
            link = links.connect(node);
            return 1;
        }
        return link.state() == Link.State.OPEN ? send(nowNs) : 0;
    }

    private int send(long nowNs) {
        Kind kind = random.chance(0.7) ? Kind.DEPOSIT : Kind.READ;
        Message call = new Message(numbers++, kind, account, 1);
        byte[] frame = call.encode();
        if (link.send(frame, 0, frame.length)) {
            waiting = call;
            sinceNs = nowNs;
            acknowledgedBefore = acknowledged;
            sent += kind == Kind.DEPOSIT ? 1 : 0;
        }
        return 1;
    }

    private int takeReply(long nowNs) {
        byte[] frame = link.receive();
        if (frame == null) {
            if (link.state() == Link.State.CLOSED || nowNs - sinceNs > PATIENCE_NS) {
                link.close();
                waiting = null;
                return 1;
            }
            return 0;
        }
        Message reply = Message.decode(frame);
        assertThat(reply.number()).isEqualTo(waiting.number());
        if (reply.kind() == Kind.COMMITTED && waiting.kind() == Kind.DEPOSIT) {
            acknowledged++;
        } else if (reply.kind() == Kind.COMMITTED) {
            assertThat(reply.value())
                    .as("account %d at %s, read", account, node)
                    .isBetween(acknowledgedBefore, sent);
        }
        waiting = null;
        return 1;
    }
}
