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
        /** The peer has welcomed this node: adds the handler of the connection behind the greeting, which leaves after this. */
        void connected(Channel channel, int node);

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
        Optional<Integer> node = kind == PeerHello.WELCOME ? PeerHello.welcomed(content) : Optional.empty();
        if (node.isEmpty()) {
            fail(context, noPeer());
            return;
        }
        Optional<String> problem = certificateProblem(context, node.get());
        if (problem.isPresent()) {
            fail(context, problem.get());
            return;
        }
        end();
        connecting.connected(context.channel(), node.get());
        context.pipeline().remove(this);
    }

    @Override
    void failed(ChannelHandlerContext context, String why) {
        connecting.failed(why);
    }
}
