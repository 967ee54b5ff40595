package io.reprise.net.reprise;

import java.nio.charset.StandardCharsets;

/**
 * The HTTP answer for clients that take the port for that of the node's page. Browsers show nothing useful when they get a frame.
 */
final class HttpAnswer {
    private static final String[] METHODS = {
        "GET ", "POST", "HEAD", "PUT ", "OPTI", "DELE", "PATC", "CONN", "TRAC", "PRI "
    };

    private HttpAnswer() {}

    /** Whether the first bytes begin an HTTP request. As the length of a first frame they would be too large. */
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

    /** A whole answer; the connection ends after it. */
    static byte[] bytes() {
        String text =
                "This is the port for calls in Reprise's own protocol, not for HTTP. The node's page and all else over HTTP are"
                        + " at another port: 7077, or what http.port (--http-port) says.\n";
        return ("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
                        + text.length() + "\r\nConnection: close\r\n\r\n" + text)
                .getBytes(StandardCharsets.US_ASCII);
    }
}
