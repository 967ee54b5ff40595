package io.reprise.procedure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextBuilderTest {
    private final TextBuilder builder = new TextBuilder(20);

    @Test
    void shouldAppendNumbersAsDecimalsWhenTheyAreExtreme() {
        TextBuilder wide = new TextBuilder(100);

        wide.append(0)
                .append(' ')
                .append(-1)
                .append(' ')
                .append(Long.MIN_VALUE)
                .append(' ')
                .append(Long.MAX_VALUE);

        assertThat(wide.text()).hasToString("0 -1 " + Long.MIN_VALUE + " " + Long.MAX_VALUE);
    }

    @Test
    void shouldPadWithZerosWhenTheNumberIsShorterThanTheWidth() {
        builder.appendPadded(7, 3).append('.').appendPadded(1234, 2);

        assertThat(builder.text()).hasToString("007.1234");
    }

    @Test
    void shouldCutOffWhenTheCapacityIsReached() {
        builder.append("0123456789")
                .append(Text.of("abcdef"))
                .append(123_456_789L)
                .append('x');

        assertThat(builder.text()).hasToString("0123456789abcdef1234");
        assertThat(builder.length()).isEqualTo(20);
        assertThat(builder.text(12)).hasToString("0123456789ab");
    }

    @Test
    void shouldEncodeAsUtf8WhenTheStringIsNotAscii() {
        builder.append("Grüße");

        assertThat(builder.text().toBytes())
                .asString(java.nio.charset.StandardCharsets.UTF_8)
                .isEqualTo("Grüße");
    }

    @Test
    void shouldStartAgainWhenCleared() {
        builder.append("before").clear().append("after");

        assertThat(builder.text()).hasToString("after");
    }
}
