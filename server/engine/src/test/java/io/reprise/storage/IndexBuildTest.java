package io.reprise.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.catalog.Table;
import io.reprise.procedure.ProcedureException;
import io.reprise.storage.RowAccess.Bytes;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IndexBuildTest {
    private static final Table ITEM = TestTables.table(1, "ITEM")
            .column("ID", SqlType.of(Kind.INTEGER), false)
            .column("NAME", SqlType.varchar(100), true)
            .primaryKey(Index.Kind.HASH, 0)
            .index("BY_NAME", Index.Kind.ORDERED, false, 1)
            .build();

    private static final Table PLACE = TestTables.table(2, "PLACE")
            .column("ID", SqlType.of(Kind.INTEGER), false)
            .column("NAME", SqlType.varchar(100), true)
            .primaryKey(Index.Kind.ORDERED, 0)
            .build();

    private final PartitionStore store = new PartitionStore(PartitionStore.Options.single(1L << 28));
    private final TableStore item = store.createTable(ITEM);
    private final TableStore place = store.createTable(PLACE);
    private final RowAccess itemAccess = new RowAccess(store, item);
    private final RowAccess placeAccess = new RowAccess(store, place);

    @AfterEach
    void close() {
        store.close();
    }

    private static void append(TableStore table, RowAccess access, long id) {
        long row = table.allocate();
        access.write(row, 0, id);
        access.write(row, 1, Bytes.of("name ".repeat(10) + id % 97));
        table.directWrites().append(row, DirectWrites.rowId((int) (id % 7), id / 7));
    }

    @Test
    void shouldEnterOnlyWhatIsPublishedWhenTheLoadGoesOn() {
        store.begin(1);
        IndexBuild build = new IndexBuild(store);
        append(item, itemAccess, 1);
        build.publish();
        append(item, itemAccess, 2);

        int entered = build.step();

        assertThat(entered).isEqualTo(1);
        assertThat(item.rowIndex(0).size()).isEqualTo(1);
        assertThat(build.isDone()).isFalse();
    }

    @Test
    void shouldBeDoneWhenALoadIsFinishedThatHadNoRows() {
        IndexBuild build = new IndexBuild(store);

        build.run();

        assertThat(build.isDone()).isTrue();
        store.verify();
    }

    @Test
    void shouldHaveAllRowsInAllIndexesWhenBuiltBesideTheLoad() {
        store.begin(1);
        IndexBuild build = new IndexBuild(store);
        build.expect(item, 30_000);
        CompletableFuture<Void> builder = CompletableFuture.runAsync(() -> {
            while (!build.isDone()) {
                if (build.step() == 0) {
                    Thread.onSpinWait();
                }
            }
        });

        for (long id = 0; id < 30_000; id++) {
            append(item, itemAccess, id);
            append(place, placeAccess, 60_000 - id);
            if (id % 100 == 0) {
                build.publish();
            }
        }
        build.finish();
        builder.join();

        store.verify();
        assertThat(item.rowIndex(0).size()).isEqualTo(30_000);
        assertThat(item.rowIndex(1).size()).isEqualTo(30_000);
        assertThat(place.rowIndex(0).size()).isEqualTo(30_000);
    }

    @Test
    void shouldHaveASoundIndexWhenFewerRowsComeThanExpectedAndThenGo() {
        store.begin(1);
        IndexBuild build = new IndexBuild(store);
        build.expect(item, 50_000);
        for (long id = 0; id < 500; id++) {
            append(item, itemAccess, id);
        }

        build.run();
        store.verify();
        for (long row = item.first(); row != 0; row = item.next(row)) {
            item.directWrites().delete(row);
        }

        store.verify();
        assertThat(item.rowIndex(0).size()).isZero();
    }

    @Test
    void shouldNameTheKeyWhenTwoLoadedRowsHaveIt() {
        store.begin(1);
        append(item, itemAccess, 5);
        append(item, itemAccess, 5);

        assertThatThrownBy(() -> new IndexBuild(store).run())
                .isInstanceOf(ProcedureException.class)
                .hasMessageContaining("table ITEM has more than one row with ID = 5");
    }
}
