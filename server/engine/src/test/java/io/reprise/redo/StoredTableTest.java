package io.reprise.redo;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.catalog.Table;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.PlacesAhead;
import io.reprise.storage.TestTables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StoredTableTest {
    private static final int PATIENCE = 10;
    private static final int MANY = 1_000;
    private static final int SOME_PLACES = 20;

    private final Table table = TestTables.table(1, "T")
            .column("ID", SqlType.of(Kind.BIGINT), false)
            .primaryKey(Index.Kind.HASH, 0)
            .build();
    private final PartitionStore store = new PartitionStore(PartitionStore.Options.single(64L << 20));
    private final RedoBatch batch = new RedoBatch().at(0, 1 << 20);
    private final StoredTable stored;
    private final PlacesAhead places;

    StoredTableTest() {
        store.createTable(table);
        stored = new StoredTable(store, store.table(table.id()), PATIENCE);
        places = stored.writes.placesAhead();
    }

    @AfterEach
    void close() {
        batch.close();
        store.close();
    }

    @Test
    void shouldGivePlacesWhenManyRowsAreInserted() {
        stored.expect(PATIENCE - 1, batch, false, false);
        assertThat(places.take()).isNull();

        stored.expect(1, batch, false, false);

        assertThat(places.take()).isNotNull();
    }

    /**
     * A decoder that still has some would not hear that they are wanted back, and the table's free places would have
     * to wait for it.
     */
    @Test
    void shouldGiveNoPlacesUntilAllThatWereWantedBackAreBack() {
        for (int i = 0; i < SOME_PLACES; i++) {
            // With few rows no more than these may be away.
            PlacesAhead.Places used = take();
            stored.writes.occupy(used.from(), (used.to() - used.from()) / places.rowSize());
        }
        PlacesAhead.Places away = take();

        stored.wantPlacesBack();
        stored.freePlaces();
        stored.expect(MANY, batch, false, false);

        assertThat(places.areWantedBack()).isTrue();
        assertThat(places.take()).isNull();

        stored.giveBack(away.from());
        stored.freePlaces();
        stored.expect(MANY, batch, false, false);

        assertThat(places.areWantedBack()).isFalse();
        assertThat(places.take()).isNotNull();
    }

    private PlacesAhead.Places take() {
        stored.expect(MANY, batch, false, false);
        return places.take();
    }
}
