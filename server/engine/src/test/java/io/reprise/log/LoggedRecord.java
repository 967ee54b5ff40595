package io.reprise.log;

import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.memory.Memory;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** A record as it was read back. */
record LoggedRecord(
        RecordKind kind, long transactionId, int partition, int bucket, int writeHash, String payload, long frame) {
    /** All records of a log that can be opened. */
    static List<LoggedRecord> readAll(FileStore store, LogSettings settings) {
        return read(LogTail.find(store, settings, 0).read(0));
    }

    /** The reader's remaining records; closes it. */
    static List<LoggedRecord> read(LogReader reader) {
        List<LoggedRecord> all = new ArrayList<>();
        LogRecords records = new LogRecords();
        try (reader;
                LogFrame frame = new LogFrame()) {
            while (reader.next(frame)) {
                records.wrap(frame);
                int count = 0;
                while (records.next()) {
                    all.add(current(records));
                    count++;
                }
                if (count != frame.records()) {
                    throw new AssertionError("frame at " + frame.position() + " has " + count
                            + " records, its header says " + frame.records());
                }
            }
        }
        return all;
    }

    private static LoggedRecord current(LogRecords records) {
        return new LoggedRecord(
                records.kind(),
                records.transactionId(),
                records.partition(),
                records.bucket(),
                records.writeHash(),
                hex(records.memory(), records.payload(), records.payloadBytes()),
                records.framePosition());
    }

    static String hex(Memory memory, long address, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = memory.getByte(address + i);
        }
        return HexFormat.of().formatHex(bytes);
    }
}
