package io.reprise.client;

import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;

/**
 * Looks up the names of nodes, each on a thread that ends afterwards. A name server may take many seconds, and the network thread has
 * other nodes' calls to move. The network library's resolver is not used: it asks on the network thread, and keeps a further thread
 * that programs wait for.
 */
final class Names {
    private final Resolver resolver;

    /** Resolves a name to its addresses: one at least, or an exception. */
    @FunctionalInterface
    interface Resolver {
        InetAddress[] addresses(String name) throws UnknownHostException;
    }

    Names(Resolver resolver) {
        this.resolver = resolver;
    }

    /** Looks up a node's addresses and passes them, or the failure, on to the network thread. A client closed meanwhile gets no answer. */
    void lookUp(InetSocketAddress node, EventLoop loop, BiConsumer<InetAddress[], Throwable> told) {
        Thread thread = new Thread(() -> tell(node.getHostString(), loop, told), "reprise-client-names");
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (OutOfMemoryError noThread) {
            // It is asked again after a pause, when there may be threads again.
            told.accept(null, noThread);
        }
    }

    private void tell(String name, EventLoop loop, BiConsumer<InetAddress[], Throwable> told) {
        InetAddress[] found = null;
        Throwable failure = null;
        try {
            found = resolver.addresses(name);
        } catch (UnknownHostException | RuntimeException | Error e) {
            failure = e;
        }
        InetAddress[] addresses = found;
        Throwable why = failure;
        try {
            loop.execute(() -> told.accept(addresses, why));
        } catch (RejectedExecutionException closed) {
            // The client was closed meanwhile.
        }
    }
}
