package io.reprise.net.postgres;

import io.reprise.session.SessionException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The first message of a connection.
 *
 * @param code the version of the protocol, or the code of a request
 * @param body the bytes behind it
 */
record Startup(int code, byte[] body) {
    static final int SSL_REQUEST = 80_877_103;
    static final int GSS_REQUEST = 80_877_104;
    static final int CANCEL_REQUEST = 80_877_102;

    /** The longest first message. */
    static final int MOST_BYTES = 10_000;

    private static final int MAJOR_SHIFT = 16;
    private static final int MAJOR = 3;

    boolean isSupported() {
        return code >> MAJOR_SHIFT == MAJOR;
    }

    int minor() {
        return code & (1 << MAJOR_SHIFT) - 1;
    }

    /** The parameters by name. */
    SortedMap<String, String> parameters() {
        SortedMap<String, String> parameters = new TreeMap<>();
        BodyReader in = new BodyReader(body);
        String name = in.string();
        while (!name.isEmpty()) {
            parameters.put(name, in.string());
            name = in.string();
        }
        in.end();
        if (parameters.getOrDefault("user", "").isEmpty()) {
            throw new SessionException("28000", "no PostgreSQL user name specified in startup packet");
        }
        return parameters;
    }

    /** Options of the protocol that this server does not know. */
    static List<String> unknownOptions(SortedMap<String, String> parameters) {
        List<String> unknown = new ArrayList<>();
        for (String name : parameters.keySet()) {
            if (name.startsWith("_pq_.")) {
                unknown.add(name);
            }
        }
        return unknown;
    }
}
