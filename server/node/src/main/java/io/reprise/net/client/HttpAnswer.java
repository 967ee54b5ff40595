package io.reprise.net.client;

import java.nio.charset.StandardCharsets;

/**
 * What is said to who has taken the port for calls for that of the node's page: a browser or curl shows nothing, or a complaint about
 * the answer, when a frame comes.
 */
final class HttpAnswer {
    private static final String[] METHODS = {
        "GET ", "POST", "HEAD", "PUT ", "OPTI", "DELE", "PATC", "CONN", "TRAC", "PRI "
    };

    private HttpAnswer() {}

    /** Whether the first bytes are the beginning of a request. No first frame begins with them: it would be too long. */
    static boolean isAsked(int firstBytes) {
        for (String method : METHODS) {
            if (firstBytes == beginning(method)) {
                return true;
            }
        }
        return false;
    }

    private static int beginning(String method) {
        int bytes = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            bytes = bytes << Byte.SIZE | method.charAt(i);
        }
        return bytes;
    }

    /** A whole answer, after which the connection ends. */
    static byte[] bytes() {
        String text =
                "This is the port for calls in Reprise's own protocol, not for HTTP. The node's page and all else over HTTP are"
                        + " at another port: 7077, or what http.port (--http-port) says.\n";
        return ("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
                        + text.length() + "\r\nConnection: close\r\n\r\n" + text)
                .getBytes(StandardCharsets.US_ASCII);
    }
}
