package io.reprise.net.listen;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The channel of an accepted connection, for any protocol: tasks on its loop, its address and certificates, and its end. Owned by
 * the network loop, except as noted.
 */
public final class ClientChannel {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.clients");

    private final Channel channel;
    private final long patienceMs;
    private final long acceptedNs;
    private Future<?> abortion;

    /** The channel of a connection; a client that doesn't read is cut off after {@code patienceMs}. */
    public ClientChannel(Channel channel, long patienceMs, long acceptedNs) {
        this.channel = channel;
        this.acceptedNs = acceptedNs;
        this.patienceMs = patienceMs;
    }

    /** Any thread: Netty's channel. */
    public Channel netty() {
        return channel;
    }

    /** Any thread: the time at which the connection was accepted. */
    long acceptedNs() {
        return acceptedNs;
    }

    /** Any thread: the client's address. */
    public InetSocketAddress remoteAddress() {
        return (InetSocketAddress) channel.remoteAddress();
    }

    /** The certificates that the client showed in its last handshake; empty without TLS, or if it showed none. */
    public List<X509Certificate> certificates() {
        SslHandler handler = channel.pipeline().get(SslHandler.class);
        if (handler == null) {
            return List.of();
        }
        try {
            return Arrays.stream(handler.engine().getSession().getPeerCertificates())
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (SSLPeerUnverifiedException none) {
            return List.of();
        }
    }

    /**
     * Any thread: runs a task on the loop, at once if this is the loop, else behind what this thread has written. After the loop's end the
     * task is dropped. Returns whether it is run.
     */
    public boolean onLoop(Runnable task) {
        if (channel.eventLoop().inEventLoop()) {
            task.run();
            return true;
        }
        try {
            channel.eventLoop().execute(task);
            return true;
        } catch (RejectedExecutionException ended) {
            LOG.debug("The connection of {} has ended already", channel.remoteAddress(), ended);
            return false;
        }
    }

    /** Stops reading, flushes what was written and closes; a client that doesn't read is cut off after {@code patienceMs}. */
    public void closeAfterFlush() {
        channel.config().setAutoRead(false);
        ByteBuf nothing = channel.alloc().buffer(0);
        channel.writeAndFlush(nothing).addListener(ChannelFutureListener.CLOSE);
        abortion = channel.eventLoop().schedule(this::abort, patienceMs, TimeUnit.MILLISECONDS);
    }

    /** Closes at once, past TLS, which would send an alert and wait until it is read. */
    public void abort() {
        if (channel.isActive()) {
            channel.pipeline().firstContext().close();
        }
    }

    /** The channel is closed. */
    void closed() {
        if (abortion != null) {
            abortion.cancel(false);
        }
    }
}
