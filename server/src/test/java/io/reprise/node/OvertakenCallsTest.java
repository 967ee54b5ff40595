package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.client.Reply;
import io.reprise.net.client.ListenerSettings;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Calls over the network that a change of the schema overtakes are made again, with the arguments that were passed. */
final class OvertakenCallsTest {
    private static final int ROUNDS = 10;
    private static final int CALLS = 2_000;
    private static final String DDL = """
            CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, a BIGINT);
            PARTITION TABLE t ON COLUMN id;
            """;

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

    private static String replacement(Class<?> by) {
        return "CREATE OR REPLACE PROCEDURE Take PARTITION ON TABLE t COLUMN id PARAMETER 0 FROM CLASS " + by.getName()
                + ";";
    }

    @Test
    void shouldPassWhatWasPassedWhenTheProcedureTakesOtherTypesNow() throws Exception {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Server server = Server.open(
                        Options.create()
                                .partitions(2)
                                .memoryPerPartition(64 << 20)
                                .ddl(DDL + replacement(OfLong.class)),
                        ListenerSettings.at(anyPort));
                Client client = Client.connect(ClientSettings.to(server.address()))) {
            for (int round = 0; round < ROUNDS; round++) {
                server.engine().ddl(replacement(OfDouble.class));
                List<CompletableFuture<Reply>> calls = new ArrayList<>();
                for (long id = 0; id < CALLS; id++) {
                    calls.add(client.callAsync("Take", id, id, "text"));
                }

                server.engine().ddl(replacement(OfLong.class));

                for (int id = 0; id < CALLS; id++) {
                    assertThat(calls.get(id).get(60, TimeUnit.SECONDS).longValue())
                            .isEqualTo(id + 4);
                }
            }
        }
    }
}
