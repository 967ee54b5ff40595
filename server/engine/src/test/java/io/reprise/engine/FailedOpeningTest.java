package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.runtime.agent.Agent;
import io.reprise.simulation.SimulatedFileStore;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An opening that fails says why, whatever goes wrong when what it has begun is ended. */
@Timeout(300)
final class FailedOpeningTest {
    private final CountDownLatch released = new CountDownLatch(1);

    private final class Hanging implements Agent {
        @Override
        public String roleName() {
            return "hanging";
        }

        @Override
        public int doWork(long nowNs) {
            return 0;
        }

        @Override
        public void onClose() {
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static final class Failing implements Agent {
        @Override
        public String roleName() {
            return "failing";
        }

        @Override
        public int doWork(long nowNs) {
            throw new IllegalStateException("the agent has failed");
        }
    }

    /** Threads are started one after the other: with so many the first one's agent has failed before the last is started, or soon after. */
    @RepeatedTest(5)
    void shouldSayWhyWhenAnAgentFailsWhileOthersAreStarted() {
        Options options = Options.create()
                .partitions(64)
                .memoryPerPartition(4 << 20)
                .siteAgent((site, ports) -> site == 0 ? new Failing() : new Hanging());
        released.countDown();

        assertThatThrownBy(() -> {
                    try (Reprise engine = options.open()) {
                        while (true) {
                            engine.sql("SELECT 1");
                        }
                    }
                })
                .hasMessageContaining("the agent has failed");
    }

    @Test
    @Tag("long")
    void shouldSayWhyWhenAThreadHangsThatItHasStarted() {
        Options options = Options.create()
                .partitions(2)
                .memoryPerPartition(16 << 20)
                .files(new SimulatedFileStore(1))
                .durability(Durability.standard()
                        .with(SmallDurability.log(64 << 10))
                        .with(SmallDurability.snapshots(1)))
                .siteAgent((site, ports) -> site == 0 ? new Failing() : new Hanging());

        assertThatThrownBy(options::open).hasMessageContaining("the agent has failed");

        released.countDown();
    }
}
