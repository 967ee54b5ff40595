package io.reprise.engine.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Table;
import io.reprise.execution.durable.adaptive.AdaptiveSettings;
import io.reprise.execution.durable.adaptive.CostModel;
import io.reprise.execution.durable.adaptive.LoggingAdvisor;
import io.reprise.execution.durable.adaptive.LoggingChooser;
import io.reprise.footprint.FootprintBuffer;
import io.reprise.footprint.FootprintChunk;
import io.reprise.runtime.time.SystemClock;
import io.reprise.sql.compile.StatementFactory;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.sql.plan.StatementPlanner;
import io.reprise.storage.PartitionStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The footprints that parts of transactions over nodes leave for the choice of later records. */
final class PartFormsTest {
    private static final int VERSION = 1;
    private static final long ID = 1L << 20;
    private static final long SHORT = 100;
    private static final long LONG = 200;

    private final Catalog catalog = CatalogScript.load("""
            CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, n INTEGER);
            PARTITION TABLE t ON COLUMN id;
            """);
    private final PartitionStore store = new PartitionStore(PartitionStore.Options.single(1L << 24));
    private final LoggingAdvisor advisor = new LoggingAdvisor(AdaptiveSettings.within(0), CostModel.DEFAULTS);
    private final LoggingChooser chooser = advisor.chooser();
    private final PartForms forms = new PartForms(store, chooser, SystemClock.INSTANCE);

    PartFormsTest() {
        for (Table table : catalog.tables().values()) {
            store.createTable(table);
        }
        store.collectFootprints(FootprintBuffer.Settings.DEFAULTS);
        store.footprint().turnOn();
        begin(ID);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void begin(long id) {
        store.begin(id);
        forms.begin();
    }

    private void run(String sql) {
        StatementFactory.compile(StatementPlanner.plan(catalog, sql), true)
                .create(store)
                .execute();
    }

    /** Commits a part as its store does. Returns whether it was logged as rows. */
    private boolean commit(long id, long callBytes, long rowBytes) {
        boolean rows = forms.prefersRows(VERSION, id, callBytes, rowBytes);
        forms.made(rows, rows ? rowBytes : callBytes);
        forms.committed(id, VERSION, 1);
        store.commit();
        return rows;
    }

    /** By transaction, the number of writes that the agent is told. */
    private List<Integer> writes() {
        store.footprint().passOn();
        FootprintChunk chunk = store.footprint().poll();
        List<Integer> counts = new ArrayList<>();
        while (chunk.nextTransaction()) {
            int[] count = {0};
            chunk.visit((table, row, reads, pieces) -> count[0] += pieces == 0 ? 0 : 1);
            counts.add(count[0]);
        }
        return counts;
    }

    @Test
    void shouldTellEachWriteOnceWhateverTheFormIs() {
        advisor.doWork(1);
        run("INSERT INTO t VALUES (1, 10)");
        run("INSERT INTO t VALUES (2, 20)");
        boolean first = commit(ID, SHORT, LONG);
        begin(2 * ID);
        run("UPDATE t SET n = n + 1 WHERE id = 1");
        boolean second = commit(2 * ID, LONG, SHORT);
        begin(3 * ID);
        run("DELETE FROM t WHERE id = 2");
        boolean third = commit(3 * ID, SHORT, LONG);

        assertThat(first).isFalse();
        assertThat(second).isTrue();
        assertThat(third).isFalse();
        assertThat(writes()).containsExactly(2, 1, 1);
    }

    @Test
    void shouldTellEachWriteOnceBeforeAnythingIsKnown() {
        run("INSERT INTO t VALUES (1, 10)");

        assertThat(commit(ID, SHORT, LONG)).isFalse();

        assertThat(writes()).containsExactly(1);
    }
}
