package io.reprise.command;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.reprise.catalog.Column;
import io.reprise.catalog.Table;
import io.reprise.changes.Change;
import io.reprise.engine.ChangeFeed;
import io.reprise.engine.LogPlace;
import io.reprise.id.TransactionId;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Changes as lines of JSON, one for each changed row. All lines of a transaction have its place in the log; {@code change} and
 * {@code of} number them, so that a reader knows the last one.
 */
final class ChangeLines implements ChangeFeed.Listener {
    /** The forms of a line. */
    enum Format {
        /** Flat: place, transaction, time, table, operation, and the row before and after. */
        PLAIN,
        /** The envelope of Debezium: before, after, source, op, ts_ms. */
        DEBEZIUM
    }

    private final Format format;
    private final Predicate<Table> wanted;
    private final Consumer<String> lines;
    private final JsonFactory json = new JsonFactory();

    ChangeLines(Format format, Predicate<Table> wanted, Consumer<String> lines) {
        this.format = format;
        this.wanted = wanted;
        this.lines = lines;
    }

    @Override
    public void row(LogPlace place, Table table, List<Object> values) {
        if (wanted.test(table)) {
            line(new Line(place, 0, 1, 1), table, "read", List.of(), values);
        }
    }

    @Override
    public void transaction(LogPlace place, long id, List<Change> changes) {
        List<Change> shown =
                changes.stream().filter(each -> wanted.test(each.table())).toList();
        int number = 1;
        for (Change change : shown) {
            String operation = switch (change.operation()) {
                case INSERT -> "insert";
                case UPDATE -> "update";
                case DELETE -> "delete";
                case TRUNCATE -> "truncate";
            };
            line(
                    new Line(place, id, number++, shown.size()),
                    change.table(),
                    operation,
                    change.before(),
                    change.after());
        }
    }

    @Override
    public void schema(LogPlace place, long id, String script) {
        print(to -> {
            to.writeStartObject();
            head(to, new Line(place, id, 1, 1));
            to.writeStringField("operation", "schema");
            to.writeStringField("ddl", script);
            to.writeEndObject();
        });
    }

    /** The part that all lines have; the transaction is 0 for a row of a snapshot. */
    private record Line(LogPlace place, long transaction, int number, int count) {}

    private void line(Line line, Table table, String operation, List<Object> before, List<Object> after) {
        print(to -> {
            to.writeStartObject();
            if (format == Format.PLAIN) {
                head(to, line);
                to.writeStringField("table", table.name());
                to.writeStringField("operation", operation);
                row(to, "before", table, before);
                row(to, "after", table, after);
            } else {
                row(to, "before", table, before);
                row(to, "after", table, after);
                to.writeObjectFieldStart("source");
                to.writeStringField("connector", "reprise");
                to.writeStringField("snapshot", line.transaction() == 0 ? "true" : "false");
                to.writeStringField("table", table.name());
                to.writeStringField("txId", hex(line.transaction()));
                to.writeStringField("lsn", line.place().toString());
                to.writeNumberField("ts_ms", millis(line.transaction()));
                to.writeEndObject();
                to.writeStringField("op", operation.equals("read") ? "r" : code(operation));
                to.writeNumberField("ts_ms", millis(line.transaction()));
                to.writeObjectFieldStart("transaction");
                to.writeStringField("id", hex(line.transaction()));
                to.writeNumberField("total_order", line.number());
                to.writeNumberField("event_count", line.count());
                to.writeEndObject();
            }
            to.writeEndObject();
        });
    }

    private static String code(String operation) {
        return operation.equals("insert") ? "c" : operation.substring(0, 1);
    }

    private static void head(JsonGenerator to, Line line) throws IOException {
        to.writeStringField("place", line.place().toString());
        if (line.transaction() != 0) {
            to.writeStringField("transaction", hex(line.transaction()));
            to.writeStringField("time", time(line.transaction()).toString());
            to.writeNumberField("change", line.number());
            to.writeNumberField("of", line.count());
        }
    }

    private static void row(JsonGenerator to, String name, Table table, List<Object> values) throws IOException {
        if (values.isEmpty()) {
            to.writeNullField(name);
            return;
        }
        to.writeObjectFieldStart(name);
        for (Column column : table.columns()) {
            to.writeFieldName(column.name());
            value(to, values.get(column.position()));
        }
        to.writeEndObject();
    }

    /** Decimals are strings: a reader that takes them for doubles would change them. */
    private static void value(JsonGenerator to, Object value) throws IOException {
        switch (value) {
            case null -> to.writeNull();
            case Boolean flag -> to.writeBoolean(flag);
            case Long number -> to.writeNumber(number);
            case Double number -> to.writeNumber(number);
            case BigDecimal decimal -> to.writeString(decimal.toPlainString());
            default -> to.writeString(value.toString());
        }
    }

    private static Instant time(long transaction) {
        return Instant.EPOCH.plus(TransactionId.epochMicros(transaction), ChronoUnit.MICROS);
    }

    private static long millis(long transaction) {
        return transaction == 0 ? 0 : time(transaction).toEpochMilli();
    }

    private static String hex(long transaction) {
        return "0x" + Long.toHexString(transaction);
    }

    private interface Content {
        void write(JsonGenerator to) throws IOException;
    }

    private void print(Content content) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = json.createGenerator(text)) {
            content.write(generator);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        lines.accept(text.toString());
    }
}
