package io.reprise.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.ResultTable;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Text;
import io.reprise.runtime.memory.WorkMemory;
import io.reprise.storage.ProcedureLimitErrors;
import java.math.BigDecimal;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A column of a result table has one type, whatever is added to it. */
class FilledTableTest {
    private static FilledTable table() {
        return new FilledTable(new WorkMemory(ProcedureLimitErrors.INSTANCE), "A");
    }

    /** Adds a value by the overload that is named. */
    private static ResultTable add(ResultTable table, String overload, String value) {
        return switch (overload) {
            case "long" -> table.add(Long.parseLong(value));
            case "double" -> table.add(Double.parseDouble(value));
            case "String" -> table.add(value);
            case "Text" -> table.add(Text.of(value));
            case "BigDecimal" -> table.add(new BigDecimal(value));
            case "unscaled" -> {
                BigDecimal decimal = new BigDecimal(value);
                yield table.addUnscaled(decimal.unscaledValue().longValueExact(), decimal.scale());
            }
            default -> throw new IllegalArgumentException(overload);
        };
    }

    private static Rows filled(Consumer<ResultTable> fill) {
        FilledTable table = table();
        fill.accept(table);
        Result result = new Execution().outcome().result();
        result.table(table);
        return result.rows();
    }

    @ParameterizedTest
    @CsvSource({
        "long, 7, long, -9223372036854775808, -9223372036854775808",
        "long, 7, BigDecimal, 8.00, 8",
        "long, 7, BigDecimal, 0E-40, 0",
        "long, 7, BigDecimal, 12E2, 1200",
        "long, 7, BigDecimal, 9223372036854775807, 9223372036854775807",
        "long, 7, unscaled, 8.00, 8",
        "double, 7.5, long, 3, 3.0",
        "double, 7.5, double, 1.25, 1.25",
        "double, 7.5, BigDecimal, 1.5, 1.5",
        "double, 7.5, BigDecimal, 1E-400, 0.0",
        "double, 7.5, unscaled, -1.50, -1.5",
        "BigDecimal, 1.50, long, 3, 3.00",
        "BigDecimal, 1.50, BigDecimal, 2.5, 2.50",
        "BigDecimal, 1.50, BigDecimal, 2.500, 2.50",
        "BigDecimal, 1.50, BigDecimal, 0E-2000000000, 0.00",
        "BigDecimal, 1.50, BigDecimal, 9999999999999999.99, 9999999999999999.99",
        "BigDecimal, 1.50, BigDecimal, 0.01, 0.01",
        "BigDecimal, 1.50, unscaled, 2.5, 2.50",
        "BigDecimal, 1E2, BigDecimal, 3, 3",
        "BigDecimal, 0.25000000000000000000, long, 0, 0.000000000000000000",
        "unscaled, 1.50, unscaled, 2.25, 2.25",
        "unscaled, 1.50, unscaled, 2E1, 20.00",
        "unscaled, 1E2, long, 3, 3",
        "BigDecimal, 1.50, long, 10000000000000000, 10000000000000000.00",
        "BigDecimal, 1.50, BigDecimal, 1E16, 10000000000000000.00",
        "BigDecimal, 1.50, BigDecimal, -1E35, -100000000000000000000000000000000000.00",
        "BigDecimal, 1E18, long, 7, 7",
        "BigDecimal, 1E-19, unscaled, -2.5, -2.5000000000000000000",
        "unscaled, 1.50, unscaled, 10000000000000000.00, 10000000000000000.00",
        "String, x, String, y, y",
        "String, x, Text, y, y",
        "Text, x, String, y, y"
    })
    void shouldConvertToTheColumnsTypeWhenNothingIsLost(
            String first, String value, String second, String other, String expected) {
        Rows rows = filled(table -> add(add(table, first, value).endRow(), second, other)
                .endRow()
                .addNull()
                .endRow());

        rows.next();
        rows.next();
        String found = switch (first) {
            case "long" -> Long.toString(rows.longAt(0));
            case "double" -> Double.toString(rows.doubleAt(0));
            case "BigDecimal", "unscaled" -> rows.decimalAt(0).toPlainString();
            default -> rows.stringAt(0);
        };
        assertThat(found).isEqualTo(expected);
        rows.next();
        assertThat(rows.isNull(0)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "long, 7, double, 1.0, INVALID_VALUE",
        "long, 7, String, x, INVALID_VALUE",
        "long, 7, Text, x, INVALID_VALUE",
        "long, 7, BigDecimal, 1.50, INVALID_VALUE",
        "long, 7, BigDecimal, 9223372036854775808, INVALID_VALUE",
        "long, 7, BigDecimal, 1E2000000000, INVALID_VALUE",
        "long, 7, BigDecimal, 1E-2000000000, INVALID_VALUE",
        "long, 7, unscaled, 1.50, INVALID_VALUE",
        "double, 7.5, String, x, INVALID_VALUE",
        "double, 7.5, Text, x, INVALID_VALUE",
        "double, 7.5, BigDecimal, 1E400, NUMERIC_OVERFLOW",
        "BigDecimal, 1.50, double, 1.5, INVALID_VALUE",
        "BigDecimal, 1.50, String, x, INVALID_VALUE",
        "BigDecimal, 1.50, Text, x, INVALID_VALUE",
        "BigDecimal, 1E18, double, 1.5, INVALID_VALUE",
        "BigDecimal, 1E18, BigDecimal, 0.5, NUMERIC_OVERFLOW",
        "BigDecimal, 1.50, BigDecimal, 1.505, NUMERIC_OVERFLOW",
        "BigDecimal, 1.50, BigDecimal, 1E36, NUMERIC_OVERFLOW",
        "BigDecimal, 1.50, BigDecimal, 1E2000000000, NUMERIC_OVERFLOW",
        "BigDecimal, 1.50, BigDecimal, 1E-2000000000, NUMERIC_OVERFLOW",
        "BigDecimal, 1.50, unscaled, 1.505, NUMERIC_OVERFLOW",
        "unscaled, 1.50, double, 1.5, INVALID_VALUE",
        "String, x, long, 1, INVALID_VALUE",
        "String, x, double, 1.0, INVALID_VALUE",
        "String, x, BigDecimal, 20000.00, INVALID_VALUE",
        "String, x, unscaled, 20000.00, INVALID_VALUE",
        "Text, x, BigDecimal, 20000.00, INVALID_VALUE"
    })
    void shouldRefuseWhatTheColumnsTypeCantHold(
            String first, String value, String second, String other, ErrorCode code) {
        FilledTable table = table();
        add(table, first, value).endRow();

        assertThatThrownBy(() -> add(table, second, other))
                .isInstanceOfSatisfying(
                        ProcedureException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageStartingWith("column A of the result table ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"1E38", "123456789012345678901234567890123456789", "1E-39", "1E2000000000", "1E-2000000000"})
    void shouldRefuseADecimalThatNoColumnHolds(String value) {
        FilledTable table = table();

        assertThatThrownBy(() -> table.add(new BigDecimal(value)))
                .isInstanceOfSatisfying(
                        ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NUMERIC_OVERFLOW));
    }

    @Test
    void shouldKeepEarlierRowsWhenALaterDecimalHasMoreThan18Digits() {
        Rows rows = filled(table -> table.add(new BigDecimal("-1.50"))
                .endRow()
                .addNull()
                .endRow()
                .add(new BigDecimal("12345678901234567890.25"))
                .endRow()
                .addUnscaled(7, 2)
                .endRow());

        assertThat(rows.columnType(0)).isEqualTo("DECIMAL(38,2)");
        assertThat(rows.next()).isTrue();
        assertThat(rows.decimalAt(0)).isEqualTo(new BigDecimal("-1.50"));
        assertThat(rows.next()).isTrue();
        assertThat(rows.isNull(0)).isTrue();
        assertThat(rows.next()).isTrue();
        assertThat(rows.decimalAt(0)).isEqualTo(new BigDecimal("12345678901234567890.25"));
        assertThatThrownBy(() -> rows.longAt(0)).hasMessageContaining("read it with decimalAt");
        assertThat(rows.next()).isTrue();
        assertThat(rows.unscaledAt(0)).isEqualTo(7);
        assertThat(rows.longAt(0)).isZero();
    }

    @Test
    void shouldRefuseAColumnWithoutAName() {
        assertThatThrownBy(() -> new FilledTable(new WorkMemory(ProcedureLimitErrors.INSTANCE), "A", null))
                .isInstanceOf(ProcedureException.class)
                .hasMessageContaining("the name of column 2 of a result table is null");
    }
}
