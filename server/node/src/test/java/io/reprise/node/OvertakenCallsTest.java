package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.client.Client;
import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import io.reprise.id.Buckets;
import io.reprise.net.reprise.PortSettings;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Calls over the network that a change of the schema overtakes are made again, with the arguments that were passed. */
final class OvertakenCallsTest {
    private static final long STEPS = 400_000_000;
    private static final String DDL = """
            CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, a BIGINT);
            PARTITION TABLE t ON COLUMN id;
            """
            + "CREATE PROCEDURE PARTITION ON TABLE t COLUMN id PARAMETER 0 FROM CLASS " + Spin.class.getName() + ";";

    /** Takes a double. */
    public static final class OfDouble extends Procedure {
        private final Statement add = sql("UPDATE t SET a = a + ? WHERE id = ?");

        /** Returns the number. */
        public long run(long id, double number, String text) {
            add.set(0, (long) number).set(1, id).update();
            return (long) number + text.length();
        }
    }

    /** Takes a whole number. */
    public static final class OfLong extends Procedure {
        private final Statement add = sql("UPDATE t SET a = a + ? WHERE id = ?");

        /** Returns the number. */
        public long run(long id, long number, io.reprise.procedure.Text text) {
            add.set(0, number).set(1, id).update();
            return number + text.length();
        }
    }

    /** Keeps a partition busy. */
    public static final class Spin extends Procedure {
        /** Returns something that takes so many steps to compute. */
        public long run(long id, long steps) {
            long n = id;
            for (long i = 0; i < steps; i++) {
                n = n * 6364136223846793005L + i;
            }
            return n;
        }
    }

    private static String replacement(Class<?> by) {
        return "CREATE OR REPLACE PROCEDURE Take PARTITION ON TABLE t COLUMN id PARAMETER 0 FROM CLASS " + by.getName()
                + ";";
    }

    private static long idAt(Reprise engine, int partition) {
        long id = 1;
        while (engine.buckets().partition(Buckets.DEFAULT.of(id)) != partition) {
            id++;
        }
        return id;
    }

    /** The change waits for the second partition, and has the first one by then: a call there is taken, and waits for the change. */
    @Test
    void shouldPassWhatWasPassedWhenTheProcedureTakesOtherTypesNow() {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Server server = Server.open(
                        Options.create()
                                .partitions(2)
                                .memoryPerPartition(64 << 20)
                                .ddl(DDL + replacement(OfDouble.class)),
                        PortSettings.at(anyPort));
                Client client = PatientClient.connect(server)) {
            long near = idAt(server.engine(), 0);
            long far = idAt(server.engine(), 1);
            assertThat(client.call("Take", near, 5, "text").longValue()).isEqualTo(9);
            client.callAsync("Spin", far, STEPS);

            CompletableFuture<Void> change =
                    CompletableFuture.runAsync(() -> server.engine().ddl(replacement(OfLong.class)));
            while (!change.isDone()) {
                assertThat(client.call("Take", near, 5, "text").longValue()).isEqualTo(9);
            }

            change.join();
        }
    }
}
