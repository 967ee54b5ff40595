package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.BucketMap;
import io.reprise.execution.CommitGate;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.execution.SiteMeter;
import io.reprise.execution.deploy.Arguments;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.time.SystemClock;
import io.reprise.storage.PartitionStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine's own tasks take as long as they take. */
class AdministrationWorkTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldNotBeWatchedWhenItRuns(int count) {
        BucketMap buckets = BucketMap.dealt(count);
        List<PartitionStore> stores = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            stores.add(StoreOptions.open(i, buckets, 1 << 20, null));
        }
        List<SiteMeter> meters = SiteMeter.unread(count, SystemClock.INSTANCE);
        Sites sites = new Sites(
                Sites.Settings.usual(),
                buckets,
                Partition.over(stores),
                new Waker[count],
                SystemClock.INSTANCE,
                CommitGate.open(meters),
                meters,
                0);
        List<Long> watched = new ArrayList<>();
        AdministrationWork work = new AdministrationWork(
                "test",
                () -> sites.partitions().stream()
                        .map(Partition::monitor)
                        .forEach(monitor -> watched.add(monitor.running())));
        List<Execution> answered = new ArrayList<>();
        Execution execution = new Execution(new Arguments()).prepare(work, answered::add, 0);
        work.route(execution, buckets);
        sites.initiator(0).offer(execution);

        for (int cycle = 0; cycle < 10 && answered.isEmpty(); cycle++) {
            for (int site = 0; site < count; site++) {
                sites.initiator(site).doWork(cycle);
                sites.executor(sites.partitions().get(site)).doWork(cycle);
            }
        }

        assertThat(answered).hasSize(1).allMatch(ended -> ended.outcome().succeeded());
        assertThat(watched).hasSize(count).containsOnly(0L);
        stores.forEach(PartitionStore::close);
    }
}
