package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CsvReaderTest {
    @Test
    void shouldTellEmptyFromNothingWhenFieldsAreQuoted() throws IOException {
        assertThat(all("a,,\"\",b\n")).containsExactly(Arrays.asList("a", null, "", "b"));
    }

    @Test
    void shouldReadQuotationMarksSeparatorsAndLineEndsWhenQuoted() throws IOException {
        assertThat(all("\"a\"\"b\",\"c,d\",\"e\r\nf\"\r\nlast"))
                .containsExactly(List.of("a\"b", "c,d", "e\r\nf"), List.of("last"));
    }

    @Test
    void shouldReadEveryKindOfLineEnd() throws IOException {
        assertThat(all("\uFEFFa\nb\r\nc\rd")).containsExactly(List.of("a"), List.of("b"), List.of("c"), List.of("d"));
        assertThat(all("")).isEmpty();
        assertThat(all("a,b\n\n")).containsExactly(List.of("a", "b"), Arrays.asList((String) null));
    }

    @Test
    void shouldKeepTheTextAndTheLineOfARecord() throws IOException {
        CsvReader reader = new CsvReader(new StringReader("x\n\"a\nb\",2\nlast,\"3\"\n"), ',');
        reader.read();

        reader.read();
        String second = reader.text();
        long secondLine = reader.line();
        reader.read();

        assertThat(second).isEqualTo("\"a\nb\",2");
        assertThat(secondLine).isEqualTo(2);
        assertThat(reader.text()).isEqualTo("last,\"3\"");
        assertThat(reader.line()).isEqualTo(4);
    }

    @Test
    void shouldTellARecordWithSomethingBehindAClosingQuotationMark() throws IOException {
        CsvReader reader = new CsvReader(new StringReader("a,\"b\"c,d\n\"e\" ,f\n\"g\",h\"i\n"), ',');

        reader.read();
        assertThat(reader.malformed()).isTrue();
        assertThat(reader.text()).isEqualTo("a,\"b\"c,d");
        reader.read();
        assertThat(reader.malformed()).isTrue();
        assertThat(reader.read()).containsExactly("g", "h\"i");
        assertThat(reader.malformed()).isFalse();
    }

    @Test
    void shouldSayWhereWhenAQuotationMarkIsNotClosed() {
        assertThatThrownBy(() -> all("a\nb,\"c\nd\n"))
                .isInstanceOf(CsvReader.CsvException.class)
                .hasMessageContaining("line 2");
    }

    @Test
    void shouldEndWhenARecordHasNoEnd() {
        CsvReader reader = new CsvReader(endless('x'), ',');

        assertThatThrownBy(reader::read)
                .isInstanceOf(CsvReader.CsvException.class)
                .hasMessageContaining("line 1 has more than");
    }

    private static Reader endless(char of) {
        return new Reader() {
            @Override
            public int read() {
                return of;
            }

            @Override
            public int read(char[] into, int from, int count) {
                Arrays.fill(into, from, from + count, of);
                return count;
            }

            @Override
            public void close() {}
        };
    }

    private static List<List<String>> all(String text) throws IOException {
        CsvReader reader = new CsvReader(new StringReader(text), ',');
        List<List<String>> records = new ArrayList<>();
        for (List<String> record = reader.read(); record != null; record = reader.read()) {
            records.add(record);
        }
        return records;
    }
}
