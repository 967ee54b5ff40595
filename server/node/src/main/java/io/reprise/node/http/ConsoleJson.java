package io.reprise.node.http;

import io.reprise.access.Right;
import io.reprise.engine.EngineMetrics;
import io.reprise.net.listen.ClientSession;
import io.reprise.runtime.metric.Distribution;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The answers that only the page and the commands for operators ask for: the sender, sessions, histograms. */
final class ConsoleJson {
    private static final double MS_NS = 1e6;

    /** From 1 us to 34 s, a power of two each. */
    private static final int LOWEST_POWER = 10;

    private static final int HIGHEST_POWER = 35;

    private ConsoleJson() {}

    /** The name and the rights of the sender. */
    static String me(HttpGuard.Answer sender, boolean users) {
        Json json = new Json()
                .object()
                .put("user", sender.user())
                .put("users", users)
                .list("rights");
        for (Right right : Right.values()) {
            if (sender.rights().has(right)) {
                json.add(right.word());
            }
        }
        return json.endList().endObject().toString();
    }

    /** The connected clients. */
    static String sessions(List<ClientSession> sessions, boolean statements) {
        Json json = new Json().object().list("sessions");
        for (ClientSession session : sessions) {
            json.object()
                    .put("id", session.id())
                    .put("protocol", session.protocol())
                    .put("user", session.user())
                    .put("address", session.address())
                    .put("connectedSeconds", session.connectedSeconds())
                    .put("state", session.state().name().toLowerCase(Locale.ROOT))
                    .put("unreadBytes", session.unreadBytes());
            if (statements) {
                json.put("statement", session.statement());
            }
            json.endObject();
        }
        return json.endList().endObject().toString();
    }

    /** The histograms of a procedure; empty if no procedure of this name is measured. */
    static Optional<String> latency(EngineMetrics metrics, Optional<Recent.Window> lately, String name) {
        return metrics.procedures().stream()
                .filter(procedure -> procedure.name().equals(name))
                .findFirst()
                .map(procedure -> {
                    Json json = new Json().object().put("procedure", name);
                    histogram(
                            json,
                            "recent",
                            lately.map(window -> window.calls(name).latency()).orElse(Distribution.EMPTY));
                    histogram(json, "latency", procedure.latency());
                    histogram(json, "execution", procedure.execution());
                    return json.endObject().toString();
                });
    }

    /** The buckets from the first to the last one that is not empty. */
    private static void histogram(Json json, String kind, Distribution times) {
        json.object(kind).put("count", times.count());
        for (int percent : new int[] {50, 90, 99}) {
            json.put("p" + percent + "Ms", times.at(percent / 100.0) / MS_NS);
        }
        json.put("p999Ms", times.at(0.999) / MS_NS).put("longestMs", times.longestNs() / MS_NS);
        json.list("buckets");
        long below = 0;
        boolean begun = false;
        for (int power = LOWEST_POWER; power <= HIGHEST_POWER && below < times.count(); power++) {
            boolean last = power == HIGHEST_POWER;
            long upTo = last ? times.count() : times.below(1L << power);
            begun |= upTo > 0;
            if (begun) {
                json.object()
                        .put("toMs", (1L << power) / MS_NS)
                        .put("count", upTo - below)
                        .endObject();
            }
            below = upTo;
        }
        json.endList().endObject();
    }
}
