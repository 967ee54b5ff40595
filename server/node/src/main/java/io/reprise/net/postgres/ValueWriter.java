package io.reprise.net.postgres;

import io.reprise.catalog.ArrayReader;
import io.reprise.catalog.ArrayText;
import io.reprise.catalog.DecimalBytes;
import io.reprise.catalog.PostgresText;
import io.reprise.catalog.SqlType;
import io.reprise.session.PgType;
import io.reprise.sql.compile.runtime.RowBuffer;
import io.reprise.sql.compile.runtime.Uuids;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Writes values of results, in PostgreSQL's text or binary format, each with its length before it. */
final class ValueWriter {
    private static final int NULL = -1;
    private static final int JSONB_VERSION = 1;

    /** The bytes of an array's dimensions, flags and type, and of each dimension. */
    private static final int ARRAY_HEADER = 3 * Integer.BYTES;

    private static final int ARRAY_DIMENSION = 2 * Integer.BYTES;
    private static final long EPOCH_SECONDS_2000 = 946_684_800L;
    private static final long EPOCH_MICROS_2000 = EPOCH_SECONDS_2000 * 1_000_000;
    private static final int EPOCH_DAYS_2000 = (int) (EPOCH_SECONDS_2000 / 86_400);
    private static final SqlType DOUBLE = SqlType.of(SqlType.Kind.DOUBLE);
    private static final BigInteger NUMERIC_BASE = BigInteger.valueOf(10_000);
    private static final int NUMERIC_DIGITS = 4;

    private ValueWriter() {}

    /** Writes a column of the current row. */
    static void write(BodyWriter out, RowBuffer rows, int column, boolean binary) {
        if (rows.isNull(column)) {
            out.int32(NULL);
            return;
        }
        SqlType type = rows.sqlType(column);
        switch (type.isWide() ? "DECIMAL" : type.kind().name()) {
            case "BOOLEAN" -> bool(out, rows.booleanAt(column), binary);
            case "TINYINT", "SMALLINT" -> whole(out, rows.longAt(column), 2, binary);
            case "INTEGER" -> whole(out, rows.longAt(column), 4, binary);
            case "BIGINT" -> whole(out, rows.longAt(column), 8, binary);
            case "DOUBLE" -> floating(out, type, rows.doubleAt(column), binary);
            case "DECIMAL" -> numeric(out, rows.decimalAt(column), binary);
            case "TIMESTAMP" -> timestamp(out, type, rows.longAt(column), binary);
            case "TIME" -> time(out, rows.longAt(column), binary);
            case "DATE" -> date(out, rows.longAt(column), binary);
            case "VARBINARY" -> {
                if (type.isArray()) {
                    array(out, type, rows.bytesAt(column), binary);
                } else {
                    binary(out, type, rows.bytesAt(column), binary);
                }
            }
            case "VARCHAR" -> {
                if (binary && type.equals(SqlType.JSONB)) {
                    versioned(out, rows.bytesAt(column));
                } else {
                    string(out, rows, column);
                }
            }
            default -> other(out, rows.valueAt(column), binary);
        }
    }

    private static void binary(BodyWriter out, SqlType type, byte[] bytes, boolean binary) {
        if (type.isUuid() && !binary) {
            ascii(out, Uuids.text(bytes));
        } else {
            bytea(out, bytes, binary);
        }
    }

    private static void array(BodyWriter out, SqlType type, byte[] bytes, boolean binary) {
        if (!binary) {
            text(out, ArrayText.of(type, bytes));
            return;
        }
        BodyWriter element = new BodyWriter();
        ArrayReader reader = new ArrayReader(type, bytes);
        int count = 0;
        boolean hasNull = false;
        while (reader.next()) {
            count++;
            hasNull |= reader.isNull();
            element(element, type.element(), reader);
        }
        int dimensions = count == 0 ? 0 : 1;
        out.int32(ARRAY_HEADER + dimensions * ARRAY_DIMENSION + element.length())
                .int32(dimensions)
                .int32(hasNull ? 1 : 0)
                .int32(PgType.of(type.element()).oid());
        if (dimensions == 1) {
            out.int32(count).int32(1).raw(element.array(), 0, element.length());
        }
    }

    /** Writes an element in binary format with its length before it. */
    private static void element(BodyWriter out, SqlType type, ArrayReader at) {
        if (at.isNull()) {
            out.int32(NULL);
            return;
        }
        switch (type.kind()) {
            case BOOLEAN -> bool(out, at.word() != 0, true);
            case TINYINT, SMALLINT -> whole(out, at.word(), 2, true);
            case INTEGER -> whole(out, at.word(), 4, true);
            case BIGINT -> whole(out, at.word(), 8, true);
            case DOUBLE -> floating(out, type, Double.longBitsToDouble(at.word()), true);
            case DECIMAL -> numeric(out, BigDecimal.valueOf(at.word(), type.scale()), true);
            case TIMESTAMP -> timestamp(out, type, at.word(), true);
            case TIME -> time(out, at.word(), true);
            case DATE -> date(out, at.word(), true);
            case VARBINARY -> {
                if (type.isWide()) {
                    numeric(out, DecimalBytes.number(type, at.string()), true);
                } else {
                    bytea(out, at.string(), true);
                }
            }
            case VARCHAR -> {
                byte[] string = at.string();
                if (type.equals(SqlType.JSONB)) {
                    versioned(out, string);
                } else {
                    bytea(out, string, true);
                }
            }
        }
    }

    private static void versioned(BodyWriter out, byte[] json) {
        out.int32(json.length + 1).int8(JSONB_VERSION).raw(json);
    }

    private static void string(BodyWriter out, RowBuffer rows, int column) {
        byte[] heap = rows.stringArray();
        if (heap == null) {
            byte[] bytes = rows.bytesAt(column);
            out.int32(bytes.length).raw(bytes);
        } else {
            int length = rows.stringLength(column);
            out.int32(length).raw(heap, rows.stringStart(column), length);
        }
    }

    /** Writes a value of the session itself. */
    static void write(BodyWriter out, Object value, PgType type, boolean binary) {
        switch (value) {
            case null -> out.int32(NULL);
            case Boolean flag -> bool(out, flag, binary);
            case Number number
            when type.size() > 0 && !(value instanceof Double) -> whole(out, number.longValue(), type.size(), binary);
            case Double number -> floating(out, DOUBLE, number, binary);
            default -> other(out, value, binary);
        }
    }

    private static void other(BodyWriter out, Object value, boolean binary) {
        if (value instanceof BigDecimal number) {
            numeric(out, number, binary);
        } else {
            text(out, value.toString());
        }
    }

    private static void text(BodyWriter out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.int32(bytes.length).raw(bytes);
    }

    private static void ascii(BodyWriter out, String text) {
        out.int32(text.length()).ascii(text);
    }

    private static void bool(BodyWriter out, boolean value, boolean binary) {
        out.int32(1).int8(binary ? value ? 1 : 0 : value ? 't' : 'f');
    }

    private static void whole(BodyWriter out, long value, int size, boolean binary) {
        if (!binary) {
            ascii(out, Long.toString(value));
            return;
        }
        out.int32(size);
        switch (size) {
            case 1 -> out.int8((int) value);
            case 2 -> out.int16((int) value);
            case 4 -> out.int32((int) value);
            default -> out.int64(value);
        }
    }

    private static void floating(BodyWriter out, SqlType type, double value, boolean binary) {
        if (!binary) {
            ascii(out, PostgresText.ofNumber(type, value));
        } else if (type.isReal()) {
            out.int32(Float.BYTES).int32(Float.floatToRawIntBits((float) value));
        } else {
            out.int32(Double.BYTES).int64(Double.doubleToRawLongBits(value));
        }
    }

    private static void numeric(BodyWriter out, BigDecimal value, boolean binary) {
        if (!binary) {
            ascii(out, value.toPlainString());
            return;
        }
        int scale = Math.max(0, value.scale());
        int groupsBehind = (scale + NUMERIC_DIGITS - 1) / NUMERIC_DIGITS;
        BigInteger rest = value.abs().setScale(groupsBehind * NUMERIC_DIGITS).unscaledValue();
        List<Integer> groups = new ArrayList<>();
        while (rest.signum() != 0) {
            BigInteger[] parts = rest.divideAndRemainder(NUMERIC_BASE);
            groups.addFirst(parts[1].intValue());
            rest = parts[0];
        }
        int weight = groups.size() - groupsBehind - 1;
        while (!groups.isEmpty() && groups.getLast() == 0) {
            groups.removeLast();
        }
        out.int32(Short.BYTES * (NUMERIC_DIGITS + groups.size()))
                .int16(groups.size())
                .int16(groups.isEmpty() ? 0 : weight)
                .int16(value.signum() < 0 ? 0x4000 : 0)
                .int16(scale);
        groups.forEach(out::int16);
    }

    private static void timestamp(BodyWriter out, SqlType type, long micros, boolean binary) {
        if (binary) {
            out.int32(Long.BYTES).int64(micros - EPOCH_MICROS_2000);
        } else {
            ascii(out, PostgresText.ofTimestamp(type, micros));
        }
    }

    private static void time(BodyWriter out, long micros, boolean binary) {
        if (binary) {
            out.int32(Long.BYTES).int64(micros);
        } else {
            ascii(out, PostgresText.ofTime(micros));
        }
    }

    private static void date(BodyWriter out, long days, boolean binary) {
        if (binary) {
            out.int32(Integer.BYTES).int32((int) days - EPOCH_DAYS_2000);
        } else {
            ascii(out, PostgresText.ofDate(days));
        }
    }

    private static void bytea(BodyWriter out, byte[] bytes, boolean binary) {
        if (binary) {
            out.int32(bytes.length).raw(bytes);
        } else {
            ascii(out, "\\x" + HexFormat.of().formatHex(bytes));
        }
    }
}
