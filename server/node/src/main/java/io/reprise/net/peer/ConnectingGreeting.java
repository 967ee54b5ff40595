package io.reprise.net.peer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The greeting of a node that connects to a peer: says Hello, once there is TLS, and waits for the Welcome. */
final class ConnectingGreeting extends PeerGreeting {
    private final byte purpose;
    private final Connecting connecting;

    /** The owner of the connection. Called by its network loop. */
    interface Connecting {
        /**
         * The peer has welcomed this node at a level: adds the handler of the connection behind the greeting, which leaves after this.
         */
        void connected(Channel channel, int level);

        /** There is no connection. */
        void failed(String why);

        /** The peer's machine answers that no process listens at the address; {@link #failed} follows. */
        default void refused() {}
    }

    ConnectingGreeting(PeerSettings own, byte purpose, Connecting connecting) {
        super(own);
        this.purpose = purpose;
        this.connecting = connecting;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        super.channelActive(context);
        if (context.pipeline().get(SslHandler.class) == null) {
            hello(context);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        super.userEventTriggered(context, event);
        if (event instanceof SslHandshakeCompletionEvent handshake && handshake.isSuccess()) {
            hello(context);
        }
    }

    private void hello(ChannelHandlerContext context) {
        context.writeAndFlush(PeerHello.of(own, purpose).encode(context.alloc()));
    }

    @Override
    void greeted(ChannelHandlerContext context, byte kind, ByteBuf content) {
        if (kind == PeerHello.REFUSED) {
            fail(context, "it was refused: " + content.toString(StandardCharsets.UTF_8));
            return;
        }
        Optional<PeerHello.Welcome> welcome =
                kind == PeerHello.WELCOME ? PeerHello.Welcome.decode(content) : Optional.empty();
        if (welcome.isEmpty()) {
            fail(context, noPeer());
            return;
        }
        Optional<String> problem = problem(welcome.get())
                .or(() -> certificateProblem(context, welcome.get().node()));
        if (problem.isPresent()) {
            fail(context, problem.get());
            return;
        }
        end();
        connecting.connected(context.channel(), welcome.get().level());
        context.pipeline().remove(this);
    }

    /** A peer may choose only among the levels that were offered. */
    private Optional<String> problem(PeerHello.Welcome welcome) {
        return own.levels().has(welcome.level())
                ? Optional.empty()
                : Optional.of("node " + welcome.node() + " has chosen level " + welcome.level()
                        + " of the protocol between nodes, and node " + own.node() + " speaks " + own.levels()
                        + ": start both nodes with released versions of Reprise");
    }

    @Override
    void failed(ChannelHandlerContext context, String why) {
        connecting.failed(why);
    }
}
