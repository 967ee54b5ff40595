package io.reprise.benchmark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.benchmark.drive.Drive;
import io.reprise.benchmark.drive.Session;
import io.reprise.client.ClientSettings;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TPC-C on processes of a cluster, while buckets move, a leader dies, and its node returns with an empty disk. */
class ClusterTpccTest {
    private static final int VICTIM = 1;
    private static final int CALLERS = 6;

    @Test
    void shouldKeepTheTwelveConditionsWhenBucketsMoveAndNodesDie(@TempDir Path folder) throws Exception {
        Tpcc tpcc = new Tpcc(TpccOptions.small(4).withSizes(100, 20).withRemote(10, 30));
        try (ClusterProcesses cluster =
                ClusterProcesses.start(folder, new ClusterProcesses.Shape(2, 1, 4), tpcc.ddl())) {
            cluster.awaitWhole();
            ClientSettings settings = ClientSettings.to(cluster.addresses()).withCallTimeout(Duration.ofMinutes(2));
            try (Session session = new Session(tpcc, settings, 1, 1)) {
                session.load();
                Drive drive = session.callers(CALLERS);
                Waits.awaitCalls(drive, 100);
                List<Integer> leaving = cluster.bucketsOf(0);

                cluster.moveBuckets(leaving, 3);
                Waits.awaitCalls(drive, 50);
                cluster.kill(VICTIM);
                Waits.awaitCalls(drive, 100);
                cluster.wipe(VICTIM);
                cluster.restart(VICTIM);
                cluster.awaitWhole();
                cluster.awaitMoves();
                Waits.awaitCalls(drive, 100);
                drive.stop();

                assertThat(session.check()).isEmpty();
                assertThat(cluster.bucketsOf(3)).containsAll(leaving);
                assertThat(cluster.bucketsOf(0)).isEmpty();
            }
        }
    }
}
