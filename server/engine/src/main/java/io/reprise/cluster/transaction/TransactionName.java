package io.reprise.cluster.transaction;

import java.nio.ByteBuffer;

/**
 * The name of a transaction over partitions, which stays while its id is still raised.
 *
 * @param home the partition whose leader coordinates it
 * @param term the home's term in which it began
 * @param number ascends within the term
 */
public record TransactionName(int home, long term, long number) implements Comparable<TransactionName> {
    static final int BYTES = 20;

    @Override
    public int compareTo(TransactionName other) {
        int order = Integer.compare(home, other.home);
        order = order == 0 ? Long.compare(term, other.term) : order;
        return order == 0 ? Long.compare(number, other.number) : order;
    }

    void write(ByteBuffer out) {
        out.putInt(home).putLong(term).putLong(number);
    }

    static TransactionName read(ByteBuffer in) {
        return new TransactionName(in.getInt(), in.getLong(), in.getLong());
    }

    @Override
    public String toString() {
        return home + "/" + term + "/" + number;
    }
}
