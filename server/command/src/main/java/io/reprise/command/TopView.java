package io.reprise.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The lines of {@code reprise top}, made from a node's status and sessions. Immutable. */
final class TopView {
    private static final int PARTITIONS_SHOWN = 8;
    private static final int BAR = 10;
    private static final int MINUTE = 60;
    private static final int HOUR = 3600;
    private static final int DAY = 86_400;
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
    private static final int UNIT = 1024;

    private final JsonNode status;
    private final JsonNode sessions;

    TopView(JsonNode status, JsonNode sessions) {
        this.status = status;
        this.sessions = sessions;
    }

    /** The lines that fit into so many rows and columns. */
    List<String> lines(int rows, int columns) {
        List<String> lines = new ArrayList<>();
        head(lines);
        if (status.path("procedures").isArray()) {
            procedures(lines, Math.max(3, (rows - lines.size()) / 2 - 2));
            partitions(lines);
            log(lines);
            sessions(lines, Math.max(2, rows - lines.size() - 2));
        }
        return lines.stream()
                .limit(rows)
                .map(line -> line.length() > columns ? line.substring(0, columns) : line)
                .toList();
    }

    private void head(List<String> lines) {
        double tps = 0;
        double failed = 0;
        for (JsonNode each : status.path("procedures")) {
            tps += each.at("/recent/committed").asDouble()
                    + each.at("/recent/failed").asDouble();
            failed += each.at("/recent/failed").asDouble();
        }
        lines.add("%s  %s  up %s  %s transactions/s  %s failed/s  %d sessions"
                .formatted(
                        status.path("node").asText(),
                        status.path("ready").asBoolean()
                                ? "ready"
                                : status.path("phase").asText(),
                        duration(status.path("uptimeSeconds").asDouble()),
                        count(tps),
                        count(failed),
                        sessions.size()));
        if (!status.path("ready").asBoolean()) {
            lines.add(status.path("notReady").asText());
        }
        status.path("warnings").forEach(warning -> lines.add("! " + warning.asText()));
        JsonNode cluster = status.path("cluster");
        if (cluster.isObject()) {
            int running = 0;
            for (JsonNode node : cluster.path("nodes")) {
                running += node.path("running").asBoolean() ? 1 : 0;
            }
            lines.add("cluster %s: %d of %d nodes running, %s"
                    .formatted(
                            cluster.path("name").asText(),
                            running,
                            cluster.path("nodeCount").asInt(),
                            cluster.path("allLed").asBoolean()
                                    ? "all partitions have a leader"
                                    : "some partition has no leader"));
        }
    }

    private void procedures(List<String> lines, int most) {
        lines.add("");
        lines.add("%-28s %10s %9s %9s %9s %12s"
                .formatted("PROCEDURE", "CALLS/S", "FAILED/S", "P50 MS", "P99 MS", "COMMITTED"));
        List<JsonNode> byRate = new ArrayList<>();
        status.path("procedures").forEach(byRate::add);
        byRate.sort(Comparator.comparingDouble(
                        (JsonNode each) -> -each.at("/recent/committed").asDouble()
                                - each.at("/recent/failed").asDouble())
                .thenComparing(each -> each.path("name").asText()));
        byRate.stream()
                .limit(most)
                .forEach(each -> lines.add("%-28s %10s %9s %9s %9s %12s"
                        .formatted(
                                each.path("name").asText(),
                                count(each.at("/recent/committed").asDouble()
                                        + each.at("/recent/failed").asDouble()),
                                count(each.at("/recent/failed").asDouble()),
                                ms(each.at("/recent/p50Ms").asDouble()),
                                ms(each.at("/recent/p99Ms").asDouble()),
                                count(each.path("committed").asDouble()))));
    }

    /** The busiest partitions. */
    private void partitions(List<String> lines) {
        lines.add("");
        lines.add("%-10s %-16s %8s %9s %22s  %s"
                .formatted("PARTITION", "BUSY", "QUEUED", "FOR LOG", "MEMORY", "HOT BUCKETS"));
        List<JsonNode> byLoad = new ArrayList<>();
        status.path("partitions").forEach(byLoad::add);
        byLoad.sort(Comparator.comparingDouble(each -> -each.path("busy").asDouble()));
        byLoad.stream().limit(PARTITIONS_SHOWN).forEach(each -> {
            List<String> hot = new ArrayList<>();
            each.path("hot")
                    .forEach(bucket -> hot.add(bucket.path("bucket").asInt() + ":"
                            + Math.round(100 * bucket.path("share").asDouble()) + "%"));
            double busy = each.path("busy").asDouble();
            int full = (int) Math.round(BAR * busy);
            lines.add("%-10d %s%s %4d%% %8d %9d %22s  %s"
                    .formatted(
                            each.path("partition").asInt(),
                            "|".repeat(full),
                            ".".repeat(BAR - full),
                            Math.round(100 * busy),
                            each.path("queued").asLong(),
                            each.path("waitingReplies").asLong(),
                            bytes(each.path("memoryUsed").asDouble()) + " of "
                                    + bytes(each.path("memoryLimit").asDouble()),
                            String.join(" ", hot)));
        });
    }

    private void log(List<String> lines) {
        JsonNode log = status.path("log");
        if (log.isObject()) {
            lines.add("");
            lines.add("log %s/s, %s flushes/s, p50 %s ms, p99 %s ms; snapshot %s, %d made, %d failed"
                    .formatted(
                            bytes(log.at("/recent/bytes").asDouble()),
                            count(log.at("/recent/flushes").asDouble()),
                            ms(log.at("/recent/p50FlushMs").asDouble()),
                            ms(log.at("/recent/p99FlushMs").asDouble()),
                            status.at("/snapshot/phase").asText(),
                            status.at("/snapshot/completed").asLong(),
                            status.at("/snapshot/failed").asLong()));
        }
    }

    private void sessions(List<String> lines, int most) {
        lines.add("");
        lines.add("%-14s %-12s %-22s %-22s %s".formatted("SESSION", "USER", "ADDRESS", "STATE", "STATEMENT"));
        List<JsonNode> activeFirst = new ArrayList<>();
        sessions.forEach(activeFirst::add);
        activeFirst.sort(
                Comparator.comparing(each -> !each.path("state").asText().equals("active")));
        activeFirst.stream()
                .limit(most)
                .forEach(each -> lines.add("%-14s %-12s %-22s %-22s %s"
                        .formatted(
                                each.path("id").asText(),
                                each.path("user").asText(),
                                each.path("address").asText(),
                                each.path("state").asText().replace('_', ' '),
                                each.path("statement").asText().replaceAll("\\s+", " "))));
    }

    private static String count(double number) {
        return number > 0 && number < 10
                ? String.format(Locale.ROOT, "%.1f", number)
                : String.format(Locale.ROOT, "%,d", Math.round(number));
    }

    private static String ms(double number) {
        return String.format(Locale.ROOT, number >= 100 ? "%.0f" : number >= 1 ? "%.1f" : "%.3f", number);
    }

    private static String bytes(double number) {
        double left = number;
        int unit = 0;
        while (left >= UNIT && unit < UNITS.length - 1) {
            left /= UNIT;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", left, UNITS[unit]);
    }

    /** A duration in one unit. */
    static String duration(double seconds) {
        long whole = (long) seconds;
        if (whole < 2 * MINUTE) {
            return whole + " s";
        }
        if (whole < 2 * HOUR) {
            return whole / MINUTE + " min";
        }
        return whole < 2 * DAY ? whole / HOUR + " h" : whole / DAY + " days";
    }
}
