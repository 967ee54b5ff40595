package io.reprise.node.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsExchange;
import io.reprise.access.AuditLog;
import io.reprise.access.Claim;
import io.reprise.access.LoginOutcome;
import io.reprise.access.Logins;
import io.reprise.access.Right;
import io.reprise.access.Rights;
import io.reprise.access.User;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * Authentication and rights of HTTP requests. The node's token gives all rights. If there are users, other requests need a name and
 * a password (the scheme Basic), or a certificate if these count. Without users, every sender may watch.
 *
 * <p>A browser adds a password by itself, also to requests of another site's page, so a change from another site is rejected.
 *
 * <p>Used by any of the server's threads. A few of them may wait for passwords to be checked; the others leave room for logins at the
 * port for clients.
 */
final class HttpGuard {
    private static final int WAITING = 16;
    private static final int FIRST_FAILURE = 400;
    private static final String BASIC = "Basic ";
    private static final Rights WATCHER = Rights.of(Right.WATCH);

    private final byte[] token;
    private final Optional<Logins> logins;
    private final Semaphore waiting = new Semaphore(WAITING);

    /**
     * The outcome.
     *
     * @param rights of the sender
     * @param code of the answer if the rights are not enough; 0 if they are
     * @param why they are not enough
     * @param user the name of the user who asked; empty with the token or without users
     */
    record Answer(Rights rights, int code, String why, String user) {
        Answer(Rights rights, int code, String why) {
            this(rights, code, why, "");
        }

        boolean isEnough() {
            return code == 0;
        }
    }

    HttpGuard(String token, Optional<Logins> logins) {
        this.token = token.getBytes(StandardCharsets.UTF_8);
        this.logins = logins;
    }

    /** Whether the request's user has one of these rights. */
    Answer ask(HttpExchange exchange, Right... oneOf) {
        String given = exchange.getRequestHeaders().getFirst(HttpEndpoint.TOKEN_HEADER);
        if (given != null && MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), token)) {
            return new Answer(Rights.ALL, 0, "");
        }
        if (logins.isPresent()) {
            return login(exchange, logins.get(), oneOf);
        }
        boolean wrong = given != null && !given.isBlank();
        return answer(
                WATCHER,
                wrong
                        ? "this token is not the node's; each start makes another one. \"reprise page\" opens the page with the"
                                + " right one, and the file .node of the data directory has it"
                        : "this needs the node's token in the header " + HttpEndpoint.TOKEN_HEADER
                                + ". \"reprise page\" opens the page with it, and the file .node of the data directory has it",
                oneOf);
    }

    private static Answer answer(Rights rights, String otherwise, Right... oneOf) {
        boolean enough = Stream.of(oneOf).anyMatch(rights::has);
        return new Answer(rights, enough ? 0 : 403, enough ? "" : otherwise);
    }

    private Answer login(HttpExchange exchange, Logins users, Right... oneOf) {
        Headers headers = exchange.getRequestHeaders();
        String[] credentials = basic(headers.getFirst("Authorization"));
        List<X509Certificate> shown = certificates(exchange);
        if (credentials.length != 2 && shown.isEmpty()) {
            return new Answer(Rights.NONE, 401, "this node wants a user and a password (HTTP authentication, Basic)");
        }
        if (exchange.getRequestMethod().equals("POST") && isFromElsewhere(exchange)) {
            return new Answer(Rights.NONE, 403, "this was sent by another site's page, and only this node's own may");
        }
        InetAddress from = exchange.getRemoteAddress().getAddress();
        CompletableFuture<LoginOutcome> told = new CompletableFuture<>();
        String name = credentials.length == 2 ? credentials[0] : "";
        String password = credentials.length == 2 ? credentials[1] : "";
        users.login(new Claim(name, password, from, shown), told::complete);
        Optional<LoginOutcome> known = await(told);
        if (known.isEmpty()) {
            return new Answer(Rights.NONE, 429, "too many logins wait already; try again in a second");
        }
        LoginOutcome outcome = known.get();
        return switch (outcome.kind()) {
            case ACCEPTED -> permitted(users, outcome.user().orElseThrow(), oneOf);
            case REFUSED -> new Answer(Rights.NONE, 401, outcome.message());
            case TURNED_AWAY -> new Answer(Rights.NONE, 429, outcome.message());
        };
    }

    private static Answer permitted(Logins users, User user, Right... oneOf) {
        String roles = Stream.of(oneOf).map(Right::word).collect(Collectors.joining(" or "));
        Answer answer =
                answer(user.rights(), "user " + user.name() + " may not do this; it needs the role " + roles, oneOf);
        if (!answer.isEnough()) {
            users.meter().refusedRequest();
        }
        return new Answer(answer.rights(), answer.code(), answer.why(), user.name());
    }

    /** Notes an administrator's change in the audit log, with the status that the sender was told. */
    static void audit(HttpExchange exchange, Answer asker, String act) {
        audit(exchange, asker, act, exchange.getResponseCode());
    }

    /** The same with the status that the sender is about to be told; a negative one: there is none. */
    static void audit(HttpExchange exchange, Answer asker, String act, int code) {
        String end = code < 0 ? "failed without an answer" : "failed with status " + code;
        AuditLog.act(asker.user(), exchange.getRemoteAddress(), act, code >= 0 && code < FIRST_FAILURE ? "done" : end);
    }

    /** Whether this node has users. */
    boolean hasUsers() {
        return logins.isPresent();
    }

    /** Waits for the outcome, unless others do already. */
    private Optional<LoginOutcome> await(CompletableFuture<LoginOutcome> told) {
        if (told.isDone()) {
            return Optional.of(told.join());
        }
        if (!waiting.tryAcquire()) {
            return Optional.empty();
        }
        try {
            return Optional.of(told.join());
        } finally {
            waiting.release();
        }
    }

    private static List<X509Certificate> certificates(HttpExchange exchange) {
        if (!(exchange instanceof HttpsExchange encrypted)) {
            return List.of();
        }
        try {
            return Arrays.stream(encrypted.getSSLSession().getPeerCertificates())
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (SSLPeerUnverifiedException none) {
            return List.of();
        }
    }

    /** Name and password, or an array of another length if the header has none. */
    private static String[] basic(String header) {
        if (header == null || !header.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
            return new String[0];
        }
        try {
            byte[] decoded =
                    Base64.getDecoder().decode(header.substring(BASIC.length()).strip());
            return new String(decoded, StandardCharsets.UTF_8).split(":", 2);
        } catch (IllegalArgumentException e) {
            return new String[0];
        }
    }

    /**
     * Whether the request comes from another site's page. Browsers name the site in a header, programs do not. A page that came without
     * TLS may have been forged on the way, so a node with TLS rejects it. A node without TLS may stand behind a proxy with TLS.
     */
    private static boolean isFromElsewhere(HttpExchange exchange) {
        String origin = exchange.getRequestHeaders().getFirst("Origin");
        String host = exchange.getRequestHeaders().getFirst("Host");
        boolean own = origin == null
                || origin.equals("https://" + host)
                || origin.equals("http://" + host) && !(exchange instanceof HttpsExchange);
        return !own;
    }
}
