package io.reprise.session;

import io.reprise.catalog.SqlType;
import io.reprise.execution.deploy.Arguments;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.YearMonth;

/**
 * The conversion of a COPY's fields to the arguments of its INSERT. Plain forms of the usual types are read from their bytes; every
 * other form goes the way of a client's parameter.
 */
final class CopyValues {
    /** As many digits as a long has in any case. */
    private static final int MOST_DIGITS = 18;

    private static final int DATE_LENGTH = 10;
    private static final int SECOND_END = 19;
    private static final int MICRO_DIGITS = 6;

    /** No day. */
    private static final long NONE = Long.MIN_VALUE;

    /** The way that a column's fields are read. */
    private enum Way {
        WHOLE,
        DECIMAL,
        BOOLEAN,
        TEXT,
        TIMESTAMP,
        DATE,
        ANY
    }

    private final Prepared insert;
    private final boolean binary;
    private final Way[] ways;

    CopyValues(Prepared insert, boolean binary) {
        this.insert = insert;
        this.binary = binary;
        ways = insert.engineTypes().stream()
                .map(type -> binary ? Way.ANY : way(type))
                .toArray(Way[]::new);
    }

    private static Way way(SqlType type) {
        return switch (type.kind()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT -> Way.WHOLE;
            case DECIMAL -> Way.DECIMAL;
            case BOOLEAN -> Way.BOOLEAN;
            case VARCHAR -> type.isUuid() ? Way.ANY : Way.TEXT;
            case TIMESTAMP -> type.isZoned() ? Way.ANY : Way.TIMESTAMP;
            case DATE -> Way.DATE;
            case VARBINARY -> type.isWide() ? Way.DECIMAL : Way.ANY;
            default -> Way.ANY;
        };
    }

    /** Adds the value of a field; null: NULL. */
    void add(Arguments to, int column, byte[] field) {
        if (!addPlain(to, ways[column], field)) {
            to.addObject(Preparation.argument(insert, column, new RawParameter(field, binary)));
        }
    }

    /** Adds the value of a field if it has a plain form of the type. Returns whether it had. */
    static boolean addPlain(Arguments to, SqlType type, byte[] field) {
        return addPlain(to, way(type), field);
    }

    private static boolean addPlain(Arguments to, Way way, byte[] field) {
        return field == null
                ? addNull(to)
                : switch (way) {
                    case WHOLE -> addWhole(to, field);
                    case DECIMAL -> addDecimal(to, field);
                    case BOOLEAN -> addBoolean(to, field);
                    case TEXT -> addText(to, field);
                    case TIMESTAMP -> addTimestamp(to, field);
                    case DATE -> addDate(to, field);
                    case ANY -> false;
                };
    }

    private static boolean addNull(Arguments to) {
        to.addNull();
        return true;
    }

    private static boolean addWhole(Arguments to, byte[] field) {
        int from = field.length > 0 && field[0] == '-' ? 1 : 0;
        if (field.length == from || field.length - from > MOST_DIGITS) {
            return false;
        }
        long value = 0;
        for (int i = from; i < field.length; i++) {
            int digit = field[i] - '0';
            if (digit < 0 || digit > 9) {
                return false;
            }
            value = value * 10 + digit;
        }
        to.add(from == 0 ? value : -value);
        return true;
    }

    private static boolean addDecimal(Arguments to, byte[] field) {
        int from = field.length > 0 && field[0] == '-' ? 1 : 0;
        if (field.length == from || field.length - from > MOST_DIGITS) {
            return false;
        }
        long value = 0;
        int point = field.length;
        int digits = 0;
        for (int i = from; i < field.length; i++) {
            int digit = field[i] - '0';
            if (field[i] == '.' && point == field.length) {
                point = i;
            } else if (digit < 0 || digit > 9) {
                return false;
            } else {
                value = value * 10 + digit;
                digits++;
            }
        }
        if (digits == 0) {
            return false;
        }
        to.add(BigDecimal.valueOf(from == 0 ? value : -value, Math.max(0, field.length - point - 1)));
        return true;
    }

    private static boolean addBoolean(Arguments to, byte[] field) {
        if (field.length != 1 || field[0] != 't' && field[0] != 'f') {
            return false;
        }
        to.add(field[0] == 't');
        return true;
    }

    private static boolean addText(Arguments to, byte[] field) {
        String text = new String(field, StandardCharsets.UTF_8);
        if (text.indexOf('\0') >= 0) {
            return false;
        }
        to.add(text);
        return true;
    }

    /** Reads YYYY-MM-DD. */
    private static boolean addDate(Arguments to, byte[] field) {
        long day = field.length == DATE_LENGTH ? day(field) : NONE;
        if (day != NONE) {
            to.add(day);
        }
        return day != NONE;
    }

    /** Reads YYYY-MM-DD HH:MM:SS with up to six digits behind a point. */
    private static boolean addTimestamp(Arguments to, byte[] field) {
        boolean complete = field.length >= SECOND_END
                && field.length <= SECOND_END + 1 + MICRO_DIGITS
                && field.length != SECOND_END + 1
                && (field[DATE_LENGTH] == ' ' || field[DATE_LENGTH] == 'T')
                && field[13] == ':'
                && field[16] == ':'
                && (field.length == SECOND_END || field[SECOND_END] == '.');
        if (!complete) {
            return false;
        }
        long day = day(field);
        int hour = number(field, 11, 13);
        int minute = number(field, 14, 16);
        int second = number(field, 17, SECOND_END);
        int micros = field.length == SECOND_END ? 0 : number(field, SECOND_END + 1, field.length);
        if (day == NONE
                || hour < 0
                || hour > 23
                || minute < 0
                || minute > 59
                || second < 0
                || second > 59
                || micros < 0) {
            return false;
        }
        for (int digits = field.length - SECOND_END - 1; digits >= 0 && digits < MICRO_DIGITS; digits++) {
            micros *= 10;
        }
        to.add(((day * 24 + hour) * 60 + minute) * 60_000_000L + second * 1_000_000L + micros);
        return true;
    }

    /** The days since 1970 of the date at the beginning; {@link #NONE} if it has another form, or does not exist. */
    private static long day(byte[] field) {
        int year = number(field, 0, 4);
        int month = number(field, 5, 7);
        int day = number(field, 8, DATE_LENGTH);
        boolean exists = field[4] == '-'
                && field[7] == '-'
                && year >= 1
                && month >= 1
                && month <= 12
                && day >= 1
                && (day <= 28 || day <= YearMonth.of(year, month).lengthOfMonth());
        return exists ? LocalDate.of(year, month, day).toEpochDay() : NONE;
    }

    /** The number of these digits; below 0 if one is none. */
    private static int number(byte[] field, int from, int to) {
        int value = 0;
        for (int i = from; i < to; i++) {
            int digit = field[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }
}
