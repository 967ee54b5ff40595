package io.reprise.redo;

import io.reprise.catalog.Column;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.DirectWrites;
import io.reprise.storage.DuplicateRowException;
import io.reprise.storage.ValueText;
import io.reprise.storage.index.IndexKey;
import io.reprise.storage.index.KeyLayout;
import java.util.function.IntToLongFunction;

/** The exceptions of a data record that does not fit the rows of its partition. */
final class RedoDivergence {
    private RedoDivergence() {}

    /** The record inserts a row that exists. */
    static DivergedReplayException inserted(long transactionId, DuplicateRowException e) {
        return of(transactionId, "it inserts a row that is there already. " + e.getMessage(), e);
    }

    /**
     * The record changes or deletes a row that does not exist.
     *
     * @param name the address of the row's name in a batch: the words of its key, or its row id
     */
    static DivergedReplayException missing(
            long transactionId, StoredTable target, Memory rows, Memory batch, long name, String does) {
        if (target.finder == null) {
            return missing(transactionId, target, batch.getLong(name), does);
        }
        KeyLayout layout = target.finder.layout();
        IndexKey key = new IndexKey(layout);
        for (int i = 0; i < key.words.length; i++) {
            key.words[i] = batch.getLong(name + (long) i * Long.BYTES);
        }
        return missing(transactionId, target, rows, does, i -> layout.value(key, i));
    }

    /** The same for a row of a table without a primary key. */
    static DivergedReplayException missing(long transactionId, StoredTable target, long rowId, String does) {
        return of(
                transactionId,
                "it " + does + " row " + DirectWrites.number(rowId) + " in bucket " + DirectWrites.bucket(rowId)
                        + " of table " + target.table.table().name() + ", which is not there.",
                null);
    }

    /** The same for a row with these values in the columns of its primary key. */
    static DivergedReplayException missing(
            long transactionId, StoredTable target, Memory rows, String does, IntToLongFunction keyValues) {
        return of(
                transactionId,
                "it " + does + " the row with " + keyText(target, rows, keyValues) + " of table "
                        + target.table.table().name() + ", which is not there.",
                null);
    }

    private static DivergedReplayException of(long transactionId, String what, Throwable cause) {
        return new DivergedReplayException(
                transactionId,
                "Replay has come to other data than there was when transaction 0x" + Long.toHexString(transactionId)
                        + " ran first: " + what,
                cause);
    }

    private static String keyText(StoredTable target, Memory rows, IntToLongFunction keyValues) {
        StringBuilder columns = new StringBuilder();
        StringBuilder values = new StringBuilder();
        for (int i = 0; i < target.codec.keyColumnCount(); i++) {
            Column column = target.table.table().columns().get(target.codec.keyColumn(i));
            columns.append(i == 0 ? "" : ", ").append(column.name());
            values.append(i == 0 ? "" : ", ").append(ValueText.of(rows, column.type(), keyValues.applyAsLong(i)));
        }
        return "(" + columns + ") = (" + values + ")";
    }
}
