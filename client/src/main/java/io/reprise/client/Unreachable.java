package io.reprise.client;

import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;

/** Why no connection could be made, in words: those of the network's library name its own calls. */
final class Unreachable {
    private Unreachable() {}

    /** What somebody wrote to name the server. */
    static String name(InetSocketAddress server) {
        String host = server.getHostString();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + server.getPort();
    }

    static String why(Throwable cause) {
        String said = String.valueOf(cause.getMessage());
        if (cause instanceof UnknownHostException) {
            return "there is no host of this name";
        }
        if (cause instanceof NoRouteToHostException) {
            return "there is no way to this host: " + said;
        }
        // A connection that took too long is one of these too.
        boolean refused = cause instanceof ConnectException && said.contains("refused");
        return refused
                ? "the connection was refused: the node is down or has not started yet, or its port is another one"
                : said;
    }
}
