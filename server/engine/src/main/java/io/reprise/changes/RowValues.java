package io.reprise.changes;

import io.reprise.catalog.ArrayText;
import io.reprise.catalog.Column;
import io.reprise.catalog.DecimalBytes;
import io.reprise.catalog.SqlType;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.TableStore;
import io.reprise.storage.row.Ref;
import io.reprise.storage.row.RowLayout;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;

/**
 * The values of a row as Java objects: Boolean, Long, Double, BigDecimal, String, Instant, LocalDate, or null. Binary values are
 * hexadecimal strings, arrays are their text.
 */
public final class RowValues {
    private RowValues() {}

    /** The values by column. */
    public static List<Object> of(Memory memory, TableStore table, long row) {
        RowLayout layout = table.layout();
        List<Object> values = new ArrayList<>(table.table().columns().size());
        for (Column column : table.table().columns()) {
            int position = column.position();
            if (layout.isNull(memory, row, position)) {
                values.add(null);
            } else if (column.type().kind().isString()) {
                values.add(string(memory, column.type(), layout.readString(memory, row, position)));
            } else {
                values.add(value(column.type(), layout.readWord(memory, row, position)));
            }
        }
        return Collections.unmodifiableList(values);
    }

    private static Object value(SqlType type, long word) {
        return switch (type.kind()) {
            case BOOLEAN -> word != 0;
            case DOUBLE -> Double.longBitsToDouble(word);
            case DECIMAL -> BigDecimal.valueOf(word, type.scale());
            case TIMESTAMP -> Instant.EPOCH.plus(word, ChronoUnit.MICROS);
            case DATE -> LocalDate.ofEpochDay(word);
            case TIME -> LocalTime.ofNanoOfDay(word * 1000);
            default -> word;
        };
    }

    private static Object string(Memory memory, SqlType type, long ref) {
        byte[] bytes = new byte[Ref.length(ref)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = memory.getByte(Ref.address(ref) + i);
        }
        if (type.isWide()) {
            return DecimalBytes.number(type, bytes);
        }
        if (type.isArray()) {
            return ArrayText.of(type, bytes);
        }
        return type.kind() == SqlType.Kind.VARBINARY
                ? HexFormat.of().formatHex(bytes)
                : new String(bytes, StandardCharsets.UTF_8);
    }
}
