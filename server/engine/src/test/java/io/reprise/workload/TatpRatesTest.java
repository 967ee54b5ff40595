package io.reprise.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import io.reprise.workload.tatp.Tatp;
import io.reprise.workload.tatp.TatpOptions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The share of TATP's transactions that find their row follows from the specified data and inputs. */
class TatpRatesTest {
    private static final int CALLS = 40_000;

    private final Map<String, Integer> ran = new HashMap<>();
    private final Map<String, Integer> found = new HashMap<>();

    @Test
    void shouldSucceedAsOftenAsTheSpecifiedDataAndInputsMake() {
        Workload workload = new Tatp(new TatpOptions(3_000, true, 4));
        try (Reprise engine = Options.create()
                .partitions(2)
                .threads(Options.Threads.CALLER)
                .ddl(workload.ddl())
                .open()) {
            EngineDatabase database = new EngineDatabase(engine);
            workload.load(database);
            SerialRun run = new SerialRun(workload, database, 5);

            for (int i = 0; i < CALLS; i++) {
                count(run.next(run.generators().get(i % 2)));
            }
        }

        assertThat(rate("GetSubscriberData")).isEqualTo(100);
        assertThat(rate("GetNewDestination")).isCloseTo(14.8, within(2.0));
        assertThat(rate("GetAccessData")).isCloseTo(62.5, within(3.0));
        assertThat(rate("UpdateSubscriberData")).isCloseTo(62.5, within(7.0));
        assertThat(rate("UpdateLocationRouted")).isEqualTo(100);
        assertThat(rate("InsertCallForwardingRouted")).isCloseTo(31.25, within(7.0));
        assertThat(rate("DeleteCallForwardingRouted")).isCloseTo(31.25, within(7.0));
    }

    /** A read that finds nothing has an empty answer; other failures have the name of their error. */
    private void count(String answer) {
        String name = answer.substring(0, answer.indexOf(' '));
        String outcome = answer.substring(name.length() + 1);
        boolean nothing = outcome.equals("USER_ABORT")
                || outcome.equals("CONSTRAINT_VIOLATION")
                || outcome.isEmpty() && name.startsWith("Get");
        ran.merge(name, 1, Integer::sum);
        found.merge(name, nothing ? 0 : 1, Integer::sum);
    }

    private double rate(String name) {
        return 100.0 * found.get(name) / ran.get(name);
    }
}
