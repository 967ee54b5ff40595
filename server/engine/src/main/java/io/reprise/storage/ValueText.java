package io.reprise.storage;

import io.reprise.catalog.ArrayText;
import io.reprise.catalog.DecimalBytes;
import io.reprise.catalog.SqlType;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.Ref;
import io.reprise.storage.row.RowLayout;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;

/** Values of rows as text for people: error messages, printed logs. */
public final class ValueText {
    private static final int LONGEST = 60;

    private ValueText() {}

    /** The value of a row's column, as a SQL literal that a person recognises. */
    public static String of(Memory memory, RowLayout layout, SqlType type, long row, int column) {
        if (layout.isNull(memory, row, column)) {
            return "NULL";
        }
        boolean string = type.kind().isString();
        return of(memory, type, string ? layout.readString(memory, row, column) : layout.readWord(memory, row, column));
    }

    /** The same of a value given as its word: a string as a reference to its bytes in the memory. */
    public static String of(Memory memory, SqlType type, long word) {
        return switch (type.kind()) {
            case VARCHAR, VARBINARY -> ofString(memory, type, word);
            case BOOLEAN -> word == 0 ? "FALSE" : "TRUE";
            case DOUBLE -> Double.toString(Double.longBitsToDouble(word));
            case DECIMAL -> BigDecimal.valueOf(word, type.scale()).toPlainString();
            case TIMESTAMP -> Instant.EPOCH.plus(word, ChronoUnit.MICROS).toString();
            case DATE -> LocalDate.ofEpochDay(word).toString();
            case TIME -> LocalTime.ofNanoOfDay(word * 1000).toString();
            default -> Long.toString(word);
        };
    }

    private static String ofArray(Memory memory, SqlType type, long ref) {
        String text = ArrayText.of(type, bytes(memory, ref, Ref.length(ref)));
        return "'" + (text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...") + "'";
    }

    private static byte[] bytes(Memory memory, long ref, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = memory.getByte(Ref.address(ref) + i);
        }
        return bytes;
    }

    private static String ofString(Memory memory, SqlType type, long ref) {
        if (type.isWide()) {
            return DecimalBytes.text(type, bytes(memory, ref, Ref.length(ref)));
        }
        if (type.isArray()) {
            return ofArray(memory, type, ref);
        }
        int length = Math.min(Ref.length(ref), LONGEST);
        byte[] bytes = bytes(memory, ref, length);
        String rest = length < Ref.length(ref) ? "..." : "";
        return type.kind() == SqlType.Kind.VARBINARY
                ? "x'" + HexFormat.of().formatHex(bytes) + rest + "'"
                : "'" + new String(bytes, StandardCharsets.UTF_8) + rest + "'";
    }
}
