package io.reprise.benchmark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.benchmark.drive.Drive;
import io.reprise.benchmark.drive.Session;
import io.reprise.client.ClientSettings;
import io.reprise.workload.smallbank.Smallbank;
import io.reprise.workload.smallbank.SmallbankOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Smallbank on processes of a cluster, while buckets move, a node is killed and returns, and another one stands still. */
class ClusterSmallbankTest {
    private static final int CUSTOMERS = 2_000;
    private static final int CALLERS = 6;
    private static final int KILLED = 1;
    private static final int PAUSED = 2;

    /** Calls whose partition a dead or sleeping node leads have no end before another one leads it. */
    private static void awaitLeaders(ClusterProcesses cluster, int without) throws Exception {
        Waits.await("other leaders", () -> areLedWithout(cluster.lines(), without));
    }

    private static boolean areLedWithout(List<ClusterProcesses.Line> lines, int without) {
        return !lines.isEmpty() && lines.stream().allMatch(line -> line.leader() >= 0 && line.leader() != without);
    }

    @Test
    void shouldKeepTheMoneyWhenBucketsMoveAndNodesDieOrStandStill(@TempDir Path folder) throws Exception {
        Smallbank smallbank = new Smallbank(SmallbankOptions.uniform(CUSTOMERS).withDistributed(50));
        try (ClusterProcesses cluster =
                ClusterProcesses.start(folder, new ClusterProcesses.Shape(3, 1, 3), smallbank.ddl())) {
            cluster.awaitWhole();
            ClientSettings settings = ClientSettings.to(cluster.addresses()).withCallTimeout(Duration.ofMinutes(2));
            try (Session session = new Session(smallbank, settings, 1, 1)) {
                session.load();
                Drive drive = session.callers(CALLERS);
                Waits.awaitCalls(drive, 200);
                List<Integer> leaving = cluster.bucketsOf(0);

                cluster.moveBuckets(leaving.subList(0, leaving.size() / 2), 2);
                Waits.awaitCalls(drive, 100);
                cluster.kill(KILLED);
                awaitLeaders(cluster, KILLED);
                Waits.awaitCalls(drive, 200);
                cluster.restart(KILLED);
                cluster.awaitWhole();
                cluster.awaitMoves();
                Waits.awaitCalls(drive, 200);
                cluster.pause(PAUSED);
                awaitLeaders(cluster, PAUSED);
                Waits.awaitCalls(drive, 200);
                cluster.resume(PAUSED);
                cluster.awaitWhole();
                Waits.awaitCalls(drive, 200);
                drive.stop();

                assertThat(session.check()).isEmpty();
                assertThat(cluster.bucketsOf(2)).containsAll(leaving.subList(0, leaving.size() / 2));
            }
        }
    }
}
