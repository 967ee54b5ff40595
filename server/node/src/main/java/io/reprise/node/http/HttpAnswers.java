package io.reprise.node.http;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The sending of answers, which may be neither cached nor taken for another type. Used by any of the server's threads. */
final class HttpAnswers {
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String JSON = "application/json; charset=utf-8";

    private final AnswerLimit limit;

    HttpAnswers(AnswerLimit limit) {
        this.limit = limit;
    }

    void text(HttpExchange exchange, int code, String body) throws IOException {
        send(exchange, code, TEXT, body);
    }

    void json(HttpExchange exchange, int code, String body) throws IOException {
        send(exchange, code, JSON, body);
    }

    /** A failure for programs. */
    void problem(HttpExchange exchange, int code, String why) throws IOException {
        json(exchange, code, StatusJson.problem(why));
    }

    /**
     * Reads the rest of a body that is too long, up to a number of bytes, and ends the connection with the answer. An unread body would
     * break the connection before the answer arrives.
     */
    void discard(HttpExchange exchange, int most) throws IOException {
        exchange.getResponseHeaders().set("Connection", "close");
        InputStream body = exchange.getRequestBody();
        byte[] some = new byte[1 << 16];
        int left = most;
        for (int count = 0; count >= 0 && left > 0; left -= count) {
            count = body.read(some, 0, Math.min(left, some.length));
        }
    }

    void send(HttpExchange exchange, int code, String type, String body) throws IOException {
        send(exchange, code, type, body.getBytes(StandardCharsets.UTF_8));
    }

    void send(HttpExchange exchange, int code, String type, byte[] bytes) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
        boolean head = exchange.getRequestMethod().equals("HEAD");
        limit.during(() -> {
            exchange.sendResponseHeaders(code, head ? -1 : bytes.length);
            if (!head) {
                exchange.getResponseBody().write(bytes);
            }
        });
    }
}
