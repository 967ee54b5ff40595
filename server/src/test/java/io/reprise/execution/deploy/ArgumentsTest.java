package io.reprise.execution.deploy;

import static org.assertj.core.api.Assertions.assertThat;

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
    void shouldKeepTheRoomForSomeValuesAndForgetThem() {
        fill(20);
        int capacity = arguments.capacity();

        arguments.clear();

        assertThat(arguments.capacity()).isEqualTo(capacity);
        assertThat(arguments.add(1).add(2).reference(1)).isNull();
    }
}
