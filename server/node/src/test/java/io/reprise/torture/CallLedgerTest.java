package io.reprise.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Wrong answers and wrong rows are noticed. */
final class CallLedgerTest {
    private static final long COUNTER = 7;

    private final CallLedger ledger = new CallLedger(1);
    private final List<long[]> drawn = new ArrayList<>();

    private int answered(long answer) {
        int number = ledger.ask(0, Tickets.Kind.ONE);
        ledger.answered(0, number, answer);
        return number;
    }

    private void enter(int number, long ticket) {
        drawn.add(new long[] {COUNTER, ticket, Tickets.Kind.ONE.ordinal(), 0, number, ticket});
    }

    private List<String> problems() {
        return ledger.problems(drawn, System.nanoTime());
    }

    @Test
    void shouldFindNothingWhenEachAnsweredCallIsThereOnceAndAnotherOneToo() {
        enter(answered(1), 1);
        enter(ledger.ask(0, Tickets.Kind.ONE), 2);
        ledger.ask(0, Tickets.Kind.ONE);

        assertThat(problems()).isEmpty();
        assertThat(ledger.answers()).isEqualTo(1);
    }

    @Test
    void shouldNoticeACallThatIsThereTwice() {
        int number = answered(1);
        enter(number, 1);
        enter(number, 2);

        assertThat(problems()).anyMatch(problem -> problem.contains("has 2 rows of 1"));
    }

    @Test
    void shouldNoticeACallThatWasNotAnsweredAndIsThereTwice() {
        int number = ledger.ask(0, Tickets.Kind.ONE);
        enter(number, 1);
        enter(number, 2);

        assertThat(problems()).containsExactly("call 0 of caller 0, ASKED, has 2 rows of 1");
    }

    @Test
    void shouldNoticeACallThatIsLost() {
        answered(1);

        assertThat(problems()).containsExactly("call 0 of caller 0, ANSWERED, has 0 rows of 1");
    }

    @Test
    void shouldNoticeAnAnswerThatIsNotWhatWasDone() {
        enter(answered(2), 1);

        assertThat(problems()).containsExactly("call 0 of caller 0 was answered 2, and what is there was answered 1");
    }

    @Test
    void shouldNoticeACallThatIsAnsweredOtherwiseWhenItComesAgain() {
        int number = answered(1);
        enter(number, 1);
        ledger.answered(0, number, 1);
        ledger.answered(0, number, 2);

        assertThat(problems()).containsExactly("call 0 of caller 0 was answered 1, and then 2");
        assertThat(ledger.repeatedAnswers()).isEqualTo(2);
    }

    @Test
    void shouldNoticeAGapInTicketsAndOneThatWasDrawnTwice() {
        enter(answered(1), 1);
        enter(answered(3), 3);
        enter(answered(3), 3);

        assertThat(problems())
                .containsExactly(
                        "ticket 3 of counter 7 was drawn twice",
                        "of counter 7 there are 2 tickets, not numbered through");
    }

    @Test
    void shouldNoticeHalfOfACall() {
        int number = ledger.ask(0, Tickets.Kind.TWO);
        drawn.add(new long[] {COUNTER, 1, Tickets.Kind.TWO.ordinal(), 0, number, 1});

        assertThat(problems()).containsExactly("call 0 of caller 0, ASKED, has 1 rows of 2");
    }

    @Test
    void shouldNoticeACallThatWasRolledBackAndIsThere() {
        int number = 0;
        while (!Tickets.isRolledBack(number)) {
            number = ledger.ask(0, Tickets.Kind.ONE);
        }
        ledger.rolledBack(0, number);
        enter(number, 1);

        assertThat(problems()).containsExactly("call 9 of caller 0 was rolled back, and is there");
    }

    @Test
    void shouldAllowThatAnAnswerIsLostOnlyWhenItMayBe() {
        enter(answered(1), 1);
        answered(2);
        long killedNs = System.nanoTime();
        ledger.mayHaveLost(killedNs);
        int late = answered(3);
        ledger.isThere();

        assertThat(problems()).containsExactly("call 1 of caller 0, ANSWERED, has 0 rows of 1");

        ledger.mayHaveLost(killedNs - 3_600_000_000_000L);
        ledger.answered(0, late, 2);
        enter(late, 2);

        assertThat(problems()).isEmpty();
    }
}
