package io.reprise.record.footprint;

import io.reprise.footprint.AccessTable;
import io.reprise.footprint.DamagedFootprintException;
import io.reprise.footprint.Footprint;
import io.reprise.footprint.FootprintReader;
import io.reprise.log.LogRecords;
import io.reprise.log.PayloadPrinter;
import io.reprise.storage.row.RowLayout;
import java.util.function.IntFunction;

/** Footprints as text: {@code 774873907200123008: STOCK r 17#3 17#9 u 17#4; ORDERS i 17#12}. One thread. */
public final class FootprintPrinter implements PayloadPrinter {
    private final FootprintReader reader = new FootprintReader();
    private final IntFunction<String> tables;

    /**
     * A printer.
     *
     * @param tables the name of the table with an id; null where it is not known
     */
    public FootprintPrinter(IntFunction<String> tables) {
        this.tables = tables;
    }

    @Override
    public void print(LogRecords records, StringBuilder to) {
        try {
            reader.over(records.payloadCopy());
            to.append("footprints of partition ").append(reader.partition());
            while (reader.next()) {
                to.append(" | ").append(reader.footprint().transactionId()).append(':');
                rows(reader.footprint(), to);
            }
        } catch (DamagedFootprintException e) {
            to.append(" (").append(e.getMessage()).append(')');
        }
    }

    private void rows(Footprint footprint, StringBuilder to) {
        if (footprint.isCoarse()) {
            to.append(" coarse");
            return;
        }
        int table = -1;
        int flags = -1;
        for (int i = 0; i < footprint.size(); i++) {
            if ((footprint.flags(i) & AccessTable.PARTS) != 0) {
                to.append(" [in ")
                        .append(AccessTable.ofParts(footprint.table(i)))
                        .append(" partitions]");
                continue;
            }
            if (footprint.table(i) != table) {
                table = footprint.table(i);
                flags = -1;
                String name = tables.apply(table);
                to.append(i == 0 ? " " : "; ").append(name == null ? "table " + table : name);
            }
            if (footprint.flags(i) != flags) {
                flags = footprint.flags(i);
                to.append(' ').append(letters(flags));
            }
            if ((flags & AccessTable.REPLICATED) == 0) {
                long row = footprint.row(i);
                to.append(' ')
                        .append(row >>> RowLayout.SEQUENCE_BITS)
                        .append('#')
                        .append(row & (1L << RowLayout.SEQUENCE_BITS) - 1);
            }
        }
    }

    private static String letters(int flags) {
        if (flags == 0) {
            return "r";
        }
        return ((flags & AccessTable.INSERT) != 0 ? "i" : "")
                + ((flags & AccessTable.UPDATE) != 0 ? "u" : "")
                + ((flags & AccessTable.DELETE) != 0 ? "d" : "")
                + ((flags & AccessTable.REPLICATED) != 0 ? "replicated" : "");
    }
}
