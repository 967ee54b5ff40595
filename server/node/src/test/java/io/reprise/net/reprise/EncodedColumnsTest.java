package io.reprise.net.reprise;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.SqlType;
import io.reprise.sql.compile.runtime.RowShape;
import io.reprise.sql.physical.PlanField;
import io.reprise.wire.MessageWriter;
import io.reprise.wire.ReplyWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EncodedColumnsTest {
    private final EncodedColumns columns = new EncodedColumns();

    private static List<PlanField> fields(int number) {
        List<PlanField> fields = new ArrayList<>();
        for (int i = 0; i < number % 7; i++) {
            SqlType.Kind kind = SqlType.Kind.values()[(number + i) % SqlType.Kind.values().length];
            SqlType type = kind == SqlType.Kind.DECIMAL
                    ? SqlType.decimal(18, number % 10)
                    : kind == SqlType.Kind.VARCHAR ? SqlType.varchar(number + 1) : SqlType.of(kind);
            fields.add(new PlanField("column_" + number + "_ä_" + i, type, true));
        }
        return fields;
    }

    private static byte[] oneByOne(List<PlanField> fields) {
        MessageWriter bytes = new MessageWriter(16);
        ReplyWriter writer = new ReplyWriter(bytes);
        for (PlanField field : fields) {
            writer.column(
                    field.name(),
                    ColumnTypes.of(field.type()),
                    field.type().precision(),
                    field.type().scale());
        }
        return bytes.toBytes();
    }

    private byte[] written(RowShape shape) {
        MessageWriter bytes = new MessageWriter(16);
        columns.write(shape, new ReplyWriter(bytes));
        return bytes.toBytes();
    }

    @Test
    void shouldWriteWhatOneColumnAfterTheOtherIsHoweverManyShapesThereAre() {
        List<RowShape> shapes = new ArrayList<>();
        for (int i = 0; i < 700; i++) {
            shapes.add(RowShape.of(fields(i)));
        }

        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < shapes.size(); i++) {
                assertThat(written(shapes.get(i))).as("shape %d", i).isEqualTo(oneByOne(fields(i)));
                assertThat(written(shapes.get(i))).as("shape %d again", i).isEqualTo(oneByOne(fields(i)));
            }
        }
    }

    @Test
    void shouldWriteColumnsThatAreTooLongToBeKept() {
        List<PlanField> fields = List.of(
                new PlanField("c".repeat(10_000), SqlType.of(SqlType.Kind.BIGINT), false),
                fields(1).getFirst());

        assertThat(written(RowShape.of(fields))).isEqualTo(oneByOne(fields));
    }
}
