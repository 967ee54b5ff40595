package io.reprise.execution.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.Text;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ArgumentsTest {
    private final Arguments arguments = new Arguments();

    private void fill(int count) {
        for (int i = 0; i < count; i++) {
            arguments.add(i).add("text");
        }
    }

    @Test
    void shouldGiveTheRoomForManyValuesBack() {
        fill(10_000);

        arguments.clear();

        assertThat(arguments.capacity()).isLessThan(100);
        assertThat(arguments.count()).isZero();
        fill(3);
        assertThat(arguments.word(4)).isEqualTo(2);
        assertThat(arguments.reference(5)).isEqualTo("text");
    }

    @Test
    void shouldGiveBackWhatWasPassedWhenItHadBeenConverted() {
        ProcedureSignature one = signature(ParameterType.DOUBLE, ParameterType.STRING, ParameterType.DECIMAL);
        ProcedureSignature other = signature(ParameterType.LONG, ParameterType.TEXT, ParameterType.DOUBLE);
        Text text = Text.of("text");
        for (int round = 0; round < 3; round++) {
            arguments.clear().add(5).add(text).add(7);
            one.check(arguments);
            assertThat(arguments.boxed(0)).isEqualTo(5.0);
            assertThat(arguments.boxed(1)).isEqualTo("text");

            arguments.restore();

            assertThat(arguments.boxed(0)).isEqualTo(5L);
            assertThat(arguments.boxed(1)).isSameAs(text);
            assertThat(arguments.boxed(2)).isEqualTo(7L);
            other.check(arguments);
            assertThat(arguments.boxed(2)).isEqualTo(7.0);
        }
        arguments.clear().add(1.5);
        arguments.restore();
        assertThat(arguments.boxed(0)).as("what others had is forgotten").isEqualTo(1.5);
    }

    @Test
    void shouldConvertArraysWhereNothingIsLost() {
        ProcedureSignature arrays =
                signature(ParameterType.INT_ARRAY, ParameterType.LONG_ARRAY, ParameterType.DOUBLE_ARRAY);

        arguments.add(new long[] {1, -2}).add(new int[] {3}).add(new long[] {4});
        arrays.check(arguments);

        assertThat(arguments.reference(0)).isEqualTo(new int[] {1, -2});
        assertThat(arguments.reference(1)).isEqualTo(new long[] {3});
        assertThat(arguments.reference(2)).isEqualTo(new double[] {4});
        arguments.clear().add(new long[] {1L << 31}).add(new long[0]).add(new long[0]);
        assertThatThrownBy(() -> arrays.check(arguments)).hasMessageContaining("an array of int");
        arguments.clear().add(new int[0]).add(new long[0]).add(new long[] {(1L << 53) + 1});
        assertThatThrownBy(() -> arrays.check(arguments)).hasMessageContaining("an array of double");
        arguments.clear().add(new int[0]).add(new double[] {1}).add(new double[0]);
        assertThatThrownBy(() -> arrays.check(arguments)).hasMessageContaining("an array of long");
    }

    @Test
    void shouldTakeTimesAndDatesAsTheIntegersThatColumnsHave() {
        arguments
                .addObject(Instant.parse("1969-12-31T23:59:59.9999995Z"))
                .addObject(Instant.parse("2026-03-01T00:00:00.000001Z"))
                .addObject(LocalDate.of(1970, 1, 2));

        assertThat(arguments.word(0)).isEqualTo(-1);
        assertThat(arguments.word(1)).isEqualTo(1_772_323_200_000_001L);
        assertThat(arguments.word(2)).isEqualTo(1);
        assertThatThrownBy(() -> arguments.addObject(Instant.MAX)).hasMessageContaining("too far from 1970");
    }

    private static ProcedureSignature signature(ParameterType... types) {
        return new ProcedureSignature("TAKE", List.of("a", "b", "c"), List.of(types), ResultType.VOID);
    }

    @Test
    void shouldKeepTheRoomForSomeValuesAndForgetThem() {
        fill(20);
        int capacity = arguments.capacity();

        arguments.clear();

        assertThat(arguments.capacity()).isEqualTo(capacity);
        assertThat(arguments.add(1).add(2).reference(1)).isNull();
    }
}
