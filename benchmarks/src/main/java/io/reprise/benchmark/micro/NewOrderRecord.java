package io.reprise.benchmark.micro;

import io.reprise.log.RecordBuilder;

/** The log record of TPC-C's New-Order, in numbers that differ from call to call. */
final class NewOrderRecord {
    /** The number of an order's lines. */
    static final int LINES = 15;

    private NewOrderRecord() {}

    /** Procedure version, warehouse, district, customer, time, and three arrays of a line each. */
    static void put(RecordBuilder record, int i, long transaction) {
        record.putVarint(12)
                .putByte((byte) 8)
                .putZigzag(i & 63)
                .putZigzag(i & 7)
                .putZigzag(i % 3000);
        record.putLong(transaction);
        record.putByte((byte) LINES);
        for (int line = 0; line < LINES; line++) {
            record.putZigzag(i * 31 + line & 0x1FFFF);
        }
        record.putByte((byte) LINES);
        for (int line = 0; line < LINES; line++) {
            record.putZigzag(i & 63);
        }
        record.putByte((byte) LINES);
        for (int line = 0; line < LINES; line++) {
            record.putZigzag(line % 10);
        }
    }
}
