package io.reprise.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SharedValuesTest {
    private final SharedValues<String, Object> values = new SharedValues<>(2);

    @Test
    void shouldFindTheFirstValueWhenASecondOneIsAdded() {
        Object first = new Object();

        assertThat(values.add("a", first)).isSameAs(first);
        assertThat(values.add("a", new Object())).isSameAs(first);
        assertThat(values.find("a")).isSameAs(first);
        assertThat(values.find("b")).isNull();
    }

    @Test
    void shouldKeepAValueWhenItIsUsed() {
        Object used = new Object();
        values.add("used", used);

        fill(10);

        assertThat(values.find("used")).isSameAs(used);
    }

    @Test
    void shouldForgetAllButTheLastValuesWhenNobodyUsesThem() {
        fill(100);

        for (int i = 0; values.size() > 2 && i < 1000; i++) {
            System.gc();
        }

        assertThat(values.size()).isEqualTo(2);
        assertThat(values.find("98")).isNotNull();
        assertThat(values.find("99")).isNotNull();
    }

    private void fill(int count) {
        for (int i = 0; i < count; i++) {
            values.add(Integer.toString(i), new Object());
        }
    }
}
