package io.reprise.storage.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.catalog.Table;
import io.reprise.storage.TestTables;
import org.junit.jupiter.api.Test;

class RowLayoutTest {
    @Test
    void shouldPlaceKeyColumnsFirstAndPadToWords() {
        Table table = TestTables.table(1, "T")
                .column("A", SqlType.varchar(10), true)
                .column("B", SqlType.of(Kind.SMALLINT), false)
                .column("C", SqlType.of(Kind.BIGINT), true)
                .column("D", SqlType.of(Kind.TINYINT), false)
                .primaryKey(Index.Kind.HASH, 3, 1)
                .build();

        RowLayout layout = RowLayout.of(table);

        assertThat(layout.nullByte(0)).isEqualTo(8);
        assertThat(layout.nullMask(0)).isEqualTo(1);
        assertThat(layout.nullByte(1)).isEqualTo(-1);
        assertThat(layout.nullMask(2)).isEqualTo(2);
        assertThat(layout.offset(1)).isEqualTo(9);
        assertThat(layout.offset(3)).isEqualTo(11);
        assertThat(layout.offset(2)).isEqualTo(12);
        assertThat(layout.offset(0)).isEqualTo(20);
        assertThat(layout.size()).isEqualTo(32);
    }

    @Test
    void shouldTakeNoBitmapWhenNothingIsNullable() {
        Table table = TestTables.table(1, "T")
                .column("A", SqlType.of(Kind.INTEGER), false)
                .build();

        assertThat(RowLayout.of(table).offset(0)).isEqualTo(8);
        assertThat(RowLayout.of(table).size()).isEqualTo(16);
    }

    @Test
    void shouldKeepRoomForAReferenceWhenStringsAreShort() {
        Table table = TestTables.table(1, "T")
                .column("A", SqlType.varchar(2), false)
                .column("B", SqlType.varchar(64), false)
                .column("C", SqlType.varchar(65), false)
                .column("D", SqlType.varbinary(8), false)
                .build();

        RowLayout layout = RowLayout.of(table);

        assertThat(layout.width(0)).isEqualTo(9);
        assertThat(layout.width(1)).isEqualTo(65);
        assertThat(layout.isInline(1)).isTrue();
        assertThat(layout.width(2)).isEqualTo(8);
        assertThat(layout.isInline(2)).isFalse();
        assertThat(layout.canSpill(0))
                .as("characters outside ASCII take more bytes")
                .isTrue();
        assertThat(layout.canSpill(3)).isFalse();
    }
}
