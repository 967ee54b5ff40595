package io.reprise.engine;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Statement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Calls a procedure that fills the Java heap, again and again, in a process whose heap is small. */
final class HeapFilling {
    private HeapFilling() {}

    /** Writes a row, and keeps what it allocates until nothing is left. */
    public static final class Fill extends Procedure {
        private final Statement put = sql("UPSERT INTO note (id, n) VALUES (?, 0)");

        /** Never returns. */
        public long run(long id) {
            List<byte[]> kept = new ArrayList<>();
            put.set(0, id).update();
            while (true) {
                kept.add(new byte[1000]);
                put.set(0, kept.size());
            }
        }
    }

    /** The argument is the data directory. */
    public static void main(String[] arguments) {
        try (Reprise engine = Options.create()
                .partitions(2)
                .memoryPerPartition(16 << 20)
                .directory(Path.of(arguments[0]))
                .ddl("CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, n BIGINT NOT NULL);"
                        + " PARTITION TABLE note ON COLUMN id;"
                        + " CREATE PROCEDURE PARTITION ON TABLE note COLUMN id FROM CLASS " + Fill.class.getName())
                .open()) {
            for (long id = 0; id < 30; id++) {
                try {
                    engine.call("Fill", id);
                } catch (ProcedureException e) {
                    System.out.println(e.code() + " " + e.getMessage());
                }
                engine.sql("INSERT INTO note VALUES (?, 1)", 1000 + id);
            }
            var rows = engine.sql("SELECT COUNT(*), SUM(n) FROM note").rows();
            rows.next();
            System.out.println("rows " + rows.longAt(0) + " sum " + rows.longAt(1) + " failure " + engine.failure());
        }
    }
}
