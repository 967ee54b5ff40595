package io.reprise.torture;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The number of writes of each kind that each client was answered, or that are there. They are counted apart, because
 * in a sum a lost write and one that is there twice are nothing.
 */
final class WriteCounts {
    private final long[][] counts;

    /** All zero. */
    WriteCounts(int clients, int kinds) {
        this(new long[clients][kinds]);
    }

    private WriteCounts(long[][] counts) {
        this.counts = counts;
    }

    /** As {@link #toString} writes it. */
    static WriteCounts parse(String text) {
        return new WriteCounts(Stream.of(text.split(","))
                .map(client ->
                        Stream.of(client.split("/")).mapToLong(Long::parseLong).toArray())
                .toArray(long[][]::new));
    }

    int clients() {
        return counts.length;
    }

    /** Of one client, by kind; a copy. */
    long[] of(int client) {
        return counts[client].clone();
    }

    void set(int client, int kind, long count) {
        counts[client][kind] = count;
    }

    void add(int client, int kind, long count) {
        counts[client][kind] += count;
    }

    /** Becomes equal to others. */
    void become(WriteCounts others) {
        for (int client = 0; client < counts.length; client++) {
            counts[client] = others.of(client);
        }
    }

    long sum() {
        return Stream.of(counts).flatMapToLong(LongStream::of).sum();
    }

    /** A copy that does not change. */
    WriteCounts copy() {
        return new WriteCounts(Stream.of(counts).map(long[]::clone).toArray(long[][]::new));
    }

    /** The missing writes if these must be there and others are. */
    List<String> lost(WriteCounts found, List<String> kinds) {
        List<String> problems = new ArrayList<>();
        for (int client = 0; client < counts.length; client++) {
            for (int kind = 0; kind < kinds.size(); kind++) {
                if (found.counts[client][kind] < counts[client][kind]) {
                    problems.add("client " + client + " was answered " + counts[client][kind] + " writes of "
                            + kinds.get(kind) + ", and " + found.counts[client][kind] + " are there");
                }
            }
        }
        return problems;
    }

    /** The problems if these were answered, none of which may be lost, and others are there. */
    List<String> problems(WriteCounts found, List<String> kinds) {
        return problems(this, found, kinds);
    }

    /**
     * The problems if these were answered and others are there. A client makes one call at a time, so that one write
     * of all its kinds may be there without an answer.
     *
     * @param kept those of these that must be there, whatever may be lost of the last answers
     */
    List<String> problems(WriteCounts kept, WriteCounts found, List<String> kinds) {
        List<String> problems = new ArrayList<>();
        for (int client = 0; client < counts.length; client++) {
            long unanswered = 0;
            boolean lost = false;
            for (int kind = 0; kind < kinds.size(); kind++) {
                lost |= found.counts[client][kind] < kept.counts[client][kind];
                unanswered += Math.max(0, found.counts[client][kind] - counts[client][kind]);
            }
            if (lost || unanswered > 1) {
                problems.add("client " + client + " was answered " + Arrays.toString(counts[client]) + " writes of "
                        + kinds + ", and " + Arrays.toString(found.counts[client]) + " are there"
                        + (kept == this ? "" : ", of which must be " + Arrays.toString(kept.counts[client])));
            }
        }
        return problems;
    }

    /** {@code 3/2,0/1}: of each client, and of each client's kinds. */
    @Override
    public String toString() {
        return Stream.of(counts)
                .map(client -> LongStream.of(client).mapToObj(Long::toString).collect(Collectors.joining("/")))
                .collect(Collectors.joining(","));
    }
}
