package io.reprise.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;

/** Why there is no connection, in words: those of the network's library name its own calls. */
final class Unreachable {
    private Unreachable() {}

    /** The server's name as it was configured. */
    static String name(InetSocketAddress server) {
        String host = server.getHostString();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + server.getPort();
    }

    /** Why a connection ended that there was. */
    static String broken(Throwable cause) {
        String said = String.valueOf(cause.getMessage());
        boolean cutOff = said.contains("Connection reset") || said.contains("Broken pipe");
        if (cause instanceof IOException && cutOff) {
            return "it was cut off, as by a node that is killed";
        }
        return cause.toString();
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
