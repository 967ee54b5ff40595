package io.reprise.client;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

/**
 * Settings of a client.
 *
 * @param nodes the servers of one database; calls go to those that are connected, in turn
 * @param connectTimeout bounds the making of a connection, and {@link Client#connect}
 * @param callTimeout after which a call without a reply fails, or one that still waits for room; zero: never
 * @param silenceTimeout after which a connection is given up if nothing comes, although the server was asked; zero:
 *     never
 * @param maxCalls number of calls that may be under way on each connection, of 32 MiB together; the server may allow
 *     fewer
 * @param waitForRoom whether a caller of one call too many waits, rather than being refused as overloaded
 * @param reconnectLeast the pause before a broken connection is made again; doubles with each failure
 * @param reconnectMost the longest such pause
 * @param callbacks completes futures
 * @param tls encrypts connections and recognises servers; empty: neither
 * @param credentials the client's login, for servers that ask
 */
public record ClientSettings(
        List<InetSocketAddress> nodes,
        Duration connectTimeout,
        Duration callTimeout,
        Duration silenceTimeout,
        int maxCalls,
        boolean waitForRoom,
        Duration reconnectLeast,
        Duration reconnectMost,
        Executor callbacks,
        Optional<ClientTls> tls,
        Optional<Credentials> credentials) {
    /** Nanoseconds in a long have room for it, also when they are added to a time. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    /** Keeps a copy, and refuses what makes no sense. */
    public ClientSettings {
        nodes = List.copyOf(nodes);
        if (nodes.isEmpty() || maxCalls < 1) {
            throw new IllegalArgumentException("a client needs at least one node and room for one call");
        }
        checkTime("the time for connecting", connectTimeout);
        if (connectTimeout.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "a client needs time to connect, a millisecond at least; it has " + connectTimeout);
        }
        checkTime("the timeout of calls", callTimeout);
        checkTime("the patience with silent servers", silenceTimeout);
        checkTime("the pause before a connection is made again", reconnectLeast);
        checkTime("the longest pause before that", reconnectMost);
    }

    private static void checkTime(String what, Duration value) {
        if (value.isNegative() || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(what + " is from 0 to " + LONGEST.toDays() + " days; it is " + value);
        }
    }

    /** The usual settings, for the servers at these addresses. */
    public static ClientSettings to(InetSocketAddress... nodes) {
        return new ClientSettings(
                List.of(nodes),
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                Duration.ofSeconds(10),
                1 << 13,
                true,
                Duration.ofMillis(50),
                Duration.ofSeconds(5),
                ForkJoinPool.commonPool(),
                Optional.empty(),
                Optional.empty());
    }

    /**
     * The same with another connect timeout. It bounds {@link Client#connect} as a whole, and each later connection. A new process
     * spends a part of it on loading classes.
     */
    public ClientSettings withConnectTimeout(Duration value) {
        return with(
                value, callTimeout, silenceTimeout, maxCalls, waitForRoom, reconnectLeast, reconnectMost, callbacks);
    }

    /** The same with another timeout of calls. */
    public ClientSettings withCallTimeout(Duration value) {
        return with(
                connectTimeout, value, silenceTimeout, maxCalls, waitForRoom, reconnectLeast, reconnectMost, callbacks);
    }

    /** The same with another patience with servers from which nothing comes. */
    public ClientSettings withSilenceTimeout(Duration value) {
        return with(
                connectTimeout, callTimeout, value, maxCalls, waitForRoom, reconnectLeast, reconnectMost, callbacks);
    }

    /** The same with another bound on calls under way, and what becomes of one too many. */
    public ClientSettings withMaxCalls(int value, boolean wait) {
        return with(connectTimeout, callTimeout, silenceTimeout, value, wait, reconnectLeast, reconnectMost, callbacks);
    }

    /** The same with other pauses before connections are made again. */
    public ClientSettings withReconnect(Duration least, Duration most) {
        return with(connectTimeout, callTimeout, silenceTimeout, maxCalls, waitForRoom, least, most, callbacks);
    }

    /**
     * The same with futures completed by something else; {@code Runnable::run}: by the network thread, as they are when it refuses that.
     */
    public ClientSettings withCallbacks(Executor value) {
        return with(
                connectTimeout,
                callTimeout,
                silenceTimeout,
                maxCalls,
                waitForRoom,
                reconnectLeast,
                reconnectMost,
                value);
    }

    /** The same over TLS. */
    public ClientSettings withTls(ClientTls value) {
        return with(Optional.of(value), credentials);
    }

    /** The same as a user. The password goes to servers over TLS, or on this machine; to others it is not sent. */
    public ClientSettings withUser(String name, String password) {
        return with(tls, Optional.of(new Credentials(name, password, false)));
    }

    /** The same, with the password sent also without TLS, readable by all machines on the way. */
    public ClientSettings withPasswordInTheClear() {
        return with(tls, credentials.map(known -> new Credentials(known.user(), known.password(), true)));
    }

    private ClientSettings with(
            Duration connect,
            Duration calls,
            Duration silence,
            int most,
            boolean wait,
            Duration least,
            Duration longest,
            Executor by) {
        return new ClientSettings(nodes, connect, calls, silence, most, wait, least, longest, by, tls, credentials);
    }

    private ClientSettings with(Optional<ClientTls> encryption, Optional<Credentials> user) {
        return new ClientSettings(
                nodes,
                connectTimeout,
                callTimeout,
                silenceTimeout,
                maxCalls,
                waitForRoom,
                reconnectLeast,
                reconnectMost,
                callbacks,
                encryption,
                user);
    }
}
