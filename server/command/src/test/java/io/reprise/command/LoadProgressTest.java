package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LoadProgressTest {
    private final LoadProgress progress = new LoadProgress();

    private void send(int records) {
        for (int number = 1; number <= records; number++) {
            progress.sent(number, 1 + 2L * number, 1);
        }
    }

    @Test
    void shouldGoOnBehindTheLastRecordWhenAllHaveEnded() {
        send(3);
        for (int number = 1; number <= 3; number++) {
            progress.ended(number);
        }

        assertThat(progress.howToGoOn(3, 9, false, false)).isEqualTo("""
                Every record before line 9 of the file is in the table, or in the file of rejects.
                Then run the same command with --from-line 9.""");
    }

    @Test
    void shouldGoOnAtTheFirstRecordThatHasNotEndedAndTellWhatBecameOfTheOthers() {
        send(5);
        progress.ended(1);
        progress.ended(4);
        progress.notDone(3, 7, 1);

        assertThat(progress.howToGoOn(5, 13, false, true)).isEqualTo("""
                Every record before line 5 of the file is in the table, or in the file of rejects.\
                 Of the 4 from that line on that were sent, 1 are there too, 1 are not, 2 may be.
                Then run the same command with --from-line 5 and another --rejects. Records that are there already are refused\
                 then, or written once more with --upsert; a table without a primary key takes them twice: look first which\
                 it has.""");
        assertThat(progress.howToGoOn(5, 13, true, false)).endsWith("""
                Then run the same command with --from-line 5. Records that are there already are written once more.""");
    }

    @Test
    void shouldNotSpeakOfRecordsThatAreThereWhenNoneCanBe() {
        send(2);
        progress.notDone(1, 3, 1);
        progress.notDone(2, 5, 1);

        assertThat(progress.howToGoOn(2, 7, false, false)).endsWith("""
                 Of the 2 from that line on that were sent, 2 are not.
                Then run the same command with --from-line 3.""");
    }

    @Test
    void shouldCountTheRecordsOfBatches() {
        progress.sent(1, 2, 100);
        progress.sent(101, 102, 100);
        progress.sent(201, 202, 50);
        progress.ended(101);
        progress.notDone(201, 202, 50);

        assertThat(progress.howToGoOn(250, 252, true, false)).contains("""
                 Of the 250 from that line on that were sent, 100 are there too, 50 are not, 100 may be.
                Then run the same command with --from-line 2.""");
    }
}
