package io.reprise.node.http;

import io.reprise.engine.Reprise;
import io.reprise.recovery.rebuild.RebuildReport;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A request to rebuild a partition: its body is the number. */
final class RebuildRequest {
    private static final int MOST_DIGITS = 4;
    private static final double SECOND_NS = 1e9;

    private RebuildRequest() {}

    /** Rebuilds the partition and waits for the end. Returns the text of the answer. */
    static String run(Reprise engine, byte[] body) {
        String number = new String(body, StandardCharsets.US_ASCII).strip();
        if (!number.matches("[0-9]{1," + MOST_DIGITS + "}")) {
            throw new IllegalArgumentException("the body is the number of a partition, such as 3");
        }
        RebuildReport report = engine.rebuild(Integer.parseInt(number));
        return String.format(
                Locale.ROOT,
                "Partition %d is rebuilt: the first bucket served after %.3f s, all %d after %.3f s.%n"
                        + "%d rows of the snapshot were loaded, %d of them for other partitions' transactions;"
                        + " %d commands and %d data records of %d transactions ran again.%n",
                report.partition(),
                report.firstBucketNs() / SECOND_NS,
                report.buckets(),
                report.allNs() / SECOND_NS,
                report.rows(),
                report.foreignRows(),
                report.commands(),
                report.dataRecords(),
                report.transactions());
    }
}
