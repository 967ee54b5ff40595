package io.reprise.net.peer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.util.Optional;

/** The greeting of a peer that has connected: its Hello is checked, and answered with a Welcome or a reason. */
final class AcceptedGreeting extends PeerGreeting {
    private final PeerProblems problems;
    private final Accepted accepted;

    /** The port, as the greeting sees it. */
    interface Accepted {
        /**
         * The peer is who it should be: adds the handler of the connection behind the greeting, which leaves after this.
         * Returns the reason why the connection can't be used; empty if it can.
         */
        Optional<String> accept(Channel channel, PeerHello hello);

        /** The connection is no longer in its greeting. */
        void greetingOver();
    }

    AcceptedGreeting(PeerSettings own, PeerProblems problems, Accepted accepted) {
        super(own);
        this.problems = problems;
        this.accepted = accepted;
    }

    @Override
    void greeted(ChannelHandlerContext context, byte kind, ByteBuf content) {
        Optional<PeerHello> hello = kind == PeerHello.HELLO ? PeerHello.decode(content) : Optional.empty();
        if (hello.isEmpty()) {
            fail(context, noPeer());
            return;
        }
        Optional<String> problem = hello.get()
                .problem(own)
                .or(() -> certificateProblem(context, hello.get().node()));
        if (problem.isPresent()) {
            refuse(context, problem.get());
            return;
        }
        Optional<String> useless = accepted.accept(context.channel(), hello.get());
        if (useless.isPresent()) {
            refuse(context, useless.get());
            return;
        }
        end();
        accepted.greetingOver();
        // Frames of the new connection are written by later tasks of this loop.
        context.writeAndFlush(PeerHello.welcome(context.alloc(), hello.get().chosen(own), own.node()));
        context.pipeline().remove(this);
    }

    @Override
    void failed(ChannelHandlerContext context, String why) {
        problems.accepted(context.channel().remoteAddress(), why);
        accepted.greetingOver();
    }
}
