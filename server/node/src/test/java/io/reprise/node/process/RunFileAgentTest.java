package io.reprise.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.runtime.file.StorageFullException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The run file on a disk that is full for a while. */
@Timeout(60)
final class RunFileAgentTest {
    private static final RunFile FIRST = RunFile.ofThisProcess("http://127.0.0.1:1", "", "", "token");
    private static final RunFile SECOND = RunFile.ofThisProcess("http://127.0.0.1:1", "127.0.0.1:2", "", "token");

    /** Full as long as it is said to be. */
    private static class FakeDisk implements RunFileAgent.Disk {
        final AtomicBoolean full = new AtomicBoolean(true);
        final AtomicReference<RunFile> there = new AtomicReference<>();
        final CountDownLatch twiceInVain = new CountDownLatch(2);
        final CountDownLatch second = new CountDownLatch(1);

        @Override
        public void write(RunFile file) {
            if (full.get()) {
                twiceInVain.countDown();
                throw new StorageFullException("write", ".node", null);
            }
            there.set(file);
            if (file.equals(SECOND)) {
                second.countDown();
            }
        }

        @Override
        public void remove(RunFile file) {
            there.set(null);
        }
    }

    @Test
    void shouldLetTheNodeStartOnAFullDiskAndWriteWhatIsNewestWhenThereIsRoom() throws InterruptedException {
        FakeDisk disk = new FakeDisk();
        RunFileAgent agent = new RunFileAgent("test", ".node", disk, TimeUnit.MILLISECONDS.toNanos(1));

        agent.write(FIRST);
        assertThat(disk.twiceInVain.await(30, TimeUnit.SECONDS)).isTrue();
        agent.write(SECOND);
        disk.full.set(false);

        assertThat(disk.second.await(30, TimeUnit.SECONDS)).isTrue();
        agent.remove();
        assertThat(disk.there).hasValue(null);
    }

    @Test
    void shouldLeaveTheFileWhenTheNodeDoesNotEndInOrder() {
        FakeDisk disk = new FakeDisk();
        disk.full.set(false);
        RunFileAgent agent = new RunFileAgent("test", ".node", disk, TimeUnit.HOURS.toNanos(1));
        agent.write(FIRST);

        agent.leave();
        agent.write(SECOND);
        agent.remove();

        assertThat(disk.there).hasValue(FIRST);
    }

    @Test
    void shouldTryAgainNoEarlierThanAfterItsPause() {
        Deque<RunFile> tries = new ArrayDeque<>();
        AtomicBoolean full = new AtomicBoolean(true);
        RunFileAgent.Disk disk = new RunFileAgent.Disk() {
            @Override
            public void write(RunFile file) {
                tries.add(file);
                if (full.get()) {
                    throw new StorageFullException("write", ".node", null);
                }
            }

            @Override
            public void remove(RunFile file) {}
        };
        // With a pause of hours the agent's own thread does nothing, and the test has it alone.
        long pauseNs = TimeUnit.HOURS.toNanos(1);
        RunFileAgent agent = new RunFileAgent("test", ".node", disk, pauseNs);
        agent.write(FIRST);
        agent.remove();
        long laterNs = System.nanoTime() + pauseNs;

        assertThat(agent.doWork(laterNs)).isZero();
        assertThat(agent.doWork(laterNs + pauseNs - 1)).isZero();
        full.set(false);
        assertThat(agent.doWork(laterNs + pauseNs)).isOne();
        assertThat(agent.doWork(laterNs + 2 * pauseNs)).isZero();

        assertThat(tries).containsExactly(FIRST, FIRST, FIRST);
    }

    @Test
    void shouldRefuseTheStartWhenItIsNotForRoomThatItCantBeWritten() {
        RunFileAgent.Disk denying = new RunFileAgent.Disk() {
            @Override
            public void write(RunFile file) {
                throw new UncheckedIOException("can't write .node", new IOException("not permitted"));
            }

            @Override
            public void remove(RunFile file) {}
        };
        RunFileAgent agent = new RunFileAgent("test", ".node", denying, 1);

        assertThatThrownBy(() -> agent.write(FIRST)).hasMessageContaining("can't write .node");
    }

    /** As when its certificate is renewed while the folder is not to be written in: it goes on, and commands find it later. */
    @Test
    void shouldTryAgainWhenALaterWriteFails() throws InterruptedException {
        FakeDisk disk = new FakeDisk() {
            @Override
            public void write(RunFile file) {
                if (!file.equals(FIRST) && full.get()) {
                    throw new UncheckedIOException("can't write .node", new IOException("not permitted"));
                }
                there.set(file);
                if (file.equals(SECOND)) {
                    second.countDown();
                }
            }
        };
        RunFileAgent agent = new RunFileAgent("test", ".node", disk, TimeUnit.MILLISECONDS.toNanos(1));
        agent.write(FIRST);

        agent.write(SECOND);
        disk.full.set(false);

        assertThat(disk.second.await(30, TimeUnit.SECONDS)).isTrue();
        agent.remove();
        assertThat(disk.there).hasValue(null);
    }

    @Test
    void shouldLeaveAFileThatItHasNotWritten() {
        FakeDisk disk = new FakeDisk();
        disk.there.set(FIRST);

        new RunFileAgent("test", ".node", disk, 1).remove();

        assertThat(disk.there).hasValue(FIRST);
    }
}
