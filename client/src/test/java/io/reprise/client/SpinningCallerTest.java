package io.reprise.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class SpinningCallerTest {
    private final SpinningCaller spinner = new SpinningCaller();

    /** A reply that is looked at again and again, and comes when it has been looked at so often. */
    private static final class WatchedReply extends CompletableFuture<String> {
        private final int looksNeeded;
        private int looks;

        WatchedReply(int looksNeeded) {
            this.looksNeeded = looksNeeded;
        }

        @Override
        public boolean isDone() {
            return ++looks > looksNeeded;
        }
    }

    /** Replies that come as soon as they are waited for. */
    private void learnThatRepliesComeSoon() {
        // A pause of the machine may spoil some.
        for (int i = 0; i < 1000; i++) {
            spinner.begin(new WatchedReply(1));
            spinner.end();
        }
    }

    @Test
    void shouldLookAgainUntilTheReplyComesWhenRepliesCameSoon() {
        WatchedReply reply = new WatchedReply(3);
        // On busy cores a yield may last longer than a reply takes: trust goes as soon as it has come.
        for (int i = 0; i < 100_000 && reply.looks <= 1; i++) {
            reply = new WatchedReply(3);
            spinner.begin(reply);
            spinner.end();
        }

        assertThat(reply.looks).isGreaterThan(1);
    }

    @Test
    void shouldReturnToSleepWhenTheReplyDoesNotCome() {
        learnThatRepliesComeSoon();

        boolean spun = spinner.begin(new CompletableFuture<>());

        assertThat(spun).isTrue();
    }

    @Test
    void shouldNotLookAgainBeforeRepliesHaveComeSoon() {
        WatchedReply reply = new WatchedReply(Integer.MAX_VALUE);

        spinner.begin(reply);

        assertThat(reply.looks).isEqualTo(1);
    }

    @Test
    void shouldNotLetASecondCallerSpinBesideTheFirst() throws InterruptedException {
        learnThatRepliesComeSoon();
        spinner.begin(new CompletableFuture<>());
        WatchedReply reply = new WatchedReply(1);
        CountDownLatch returned = new CountDownLatch(1);
        boolean[] spun = new boolean[1];

        Thread second = new Thread(() -> {
            spun[0] = spinner.begin(reply);
            returned.countDown();
        });
        second.start();
        returned.await();

        assertThat(spun[0]).isFalse();
        assertThat(reply.looks).isZero();
        spinner.end();
        assertThat(spinner.begin(new CompletableFuture<>())).isTrue();
    }
}
