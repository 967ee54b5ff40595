package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.engine.Durability;
import io.reprise.engine.LogEnd;
import io.reprise.execution.Result;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.RecordKind;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.wire.message.Failure;
import io.reprise.wire.message.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A call that comes again under its number is answered as before, and does nothing: also after a restart. */
final class OnceTest {
    private static final long CLIENT = 0x1234_5678_9ABCL;

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldAnswerACallThatComesAgainAsBefore(LoggingMethod method) throws IOException {
        try (Server server = BankServer.open(directory, 2, method, 0)) {
            long first = callAll(server, 1);

            long again = callAll(server, 1);
            long other = callAll(server, 10);

            assertThat(again).isEqualTo(first);
            assertThat(other).isNotEqualTo(first);
            assertThat(BankServer.total(server)).isEqualTo(2 * total());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "COMMAND, 2, false",
        "COMMAND, 2, true",
        "COMMAND, 1, true",
        "COMMAND, 3, true",
        "COMMAND, 3, false",
        "PHYSIOLOGICAL, 2, false",
        "PHYSIOLOGICAL, 2, true",
        "PHYSIOLOGICAL, 3, true",
        "PHYSIOLOGICAL, 3, false"
    })
    void shouldAnswerACallThatComesAgainAfterARestart(LoggingMethod method, int partitions, boolean snapshot)
            throws IOException {
        long first;
        try (Server server = BankServer.open(directory, 2, method, 0)) {
            first = callAll(server, 1);
            if (snapshot) {
                assertThat(server.engine().snapshot().succeeded()).isTrue();
            }
        }

        try (Server server = BankServer.open(directory, partitions, method, 0)) {
            long again = callAll(server, 1);

            assertThat(again).isEqualTo(first);
            assertThat(BankServer.total(server)).isEqualTo(total());
        }
    }

    /** Whose call a data record was is found out by those who decode it. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void shouldAnswerACallThatComesAgainAfterSeveralHaveDecodedTheLog(int partitions) throws IOException {
        long first;
        try (Server server = BankServer.open(directory, 2, LoggingMethod.PHYSIOLOGICAL, 0)) {
            first = callAll(server, 1);
        }

        try (Server server = BankServer.openWithDecoders(directory, partitions)) {
            long again = callAll(server, 1);

            assertThat(again).isEqualTo(first);
            assertThat(BankServer.total(server)).isEqualTo(total());
        }
    }

    /**
     * Among so many clients, those that have been silent for long are forgotten when another one comes; by the time
     * of the log they have not been.
     */
    @Test
    void shouldAnswerACallThatComesAgainAfterARestartWhenManyClientsAreKnown() throws IOException {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        BankServer.open(disk).close();
        int clients = 1 << 12;
        LogEnd.append(disk, Durability.standard().log(), log -> {
            for (int client = 1; client <= clients; client++) {
                log.begin(RecordKind.DATA, LogEnd.FIRST_ID + client, -1, 0)
                        .putCaller(client, 1, Result.Kind.INTEGER.ordinal(), 7 * client)
                        .end();
            }
        });

        try (Server server = BankServer.open(disk);
                RawConnection other = RawConnection.greeted(server.address(), clients + 1)) {
            other.call(other.handle("Deposit"), 1, 1, 3, 100);

            for (int client : new int[] {1, 17, clients}) {
                try (RawConnection connection = RawConnection.greeted(server.address(), client)) {
                    Reply again = connection.call(connection.handle("Deposit"), 1, 1, 3, 100);

                    assertThat(again.getValue().getInteger()).isEqualTo(7 * client);
                }
            }
            assertThat(BankServer.total(server)).isEqualTo(100);
        }
    }

    @Test
    void shouldNotRunACallThatTheClientHasTheAnswerOf() throws IOException {
        try (Server server = BankServer.open(directory, 1, LoggingMethod.COMMAND, 0);
                RawConnection connection = RawConnection.greeted(server.address(), CLIENT)) {
            int deposit = connection.handle("Deposit");
            connection.call(deposit, 1, 1, 3, 100);
            connection.call(deposit, 2, 2, 3, 10);

            Reply late = connection.call(deposit, 1, 2, 3, 100);

            assertThat(late.getFailure().getCode()).isEqualTo(Failure.Code.OUTCOME_UNKNOWN);
            assertThat(BankServer.total(server)).isEqualTo(110);
        }
    }

    /** The client does not know the order of two attempts: the answer to one holds for both. */
    @Test
    void shouldNotCommitACallThatFailedWhenItComesAgain() throws IOException {
        try (Server server = BankServer.open(directory, 2, LoggingMethod.COMMAND, 0);
                RawConnection connection = RawConnection.greeted(server.address(), CLIENT)) {
            int withdraw = connection.handle("Withdraw");
            int transfer = connection.handle("Transfer");
            int deposit = connection.handle("Deposit");
            for (long id = 0; id < BankServer.ACCOUNTS; id++) {
                long to = (id + 1) % BankServer.ACCOUNTS;
                long number = 1 + 10 * id;
                Reply failed = connection.call(withdraw, number, 1, id, 100);
                Reply notMoved = connection.call(transfer, number + 1, 1, id, to, 100);
                connection.call(deposit, number + 2, 1, id, 100);

                Reply failedAgain = connection.call(withdraw, number, 1, id, 100);
                Reply notMovedAgain = connection.call(transfer, number + 1, 1, id, to, 100);
                Reply anotherCall = connection.call(withdraw, number + 3, 1, id, 100);

                assertThat(failed.getFailure().getCode()).isEqualTo(Failure.Code.USER_ABORT);
                assertThat(notMoved.getFailure().getCode()).isEqualTo(Failure.Code.USER_ABORT);
                assertThat(failedAgain.getFailure().getCode()).isEqualTo(Failure.Code.USER_ABORT);
                assertThat(notMovedAgain.getFailure().getCode()).isEqualTo(Failure.Code.USER_ABORT);
                assertThat(anotherCall.getValue().getInteger()).isEqualTo(100);
            }
            assertThat(BankServer.total(server)).isZero();
        }
    }

    @Test
    void shouldNotCommitAStatementInPartsThatFailedWhenItComesAgain() throws IOException {
        try (Server server = BankServer.open(directory, 2, LoggingMethod.COMMAND, 0);
                RawConnection connection = RawConnection.greeted(server.address(), CLIENT)) {
            int add = connection.handle("AddToAll");
            long most = Long.MAX_VALUE / BankServer.ACCOUNTS;
            connection.call(add, 1, 1, Long.MAX_VALUE - most + 1);

            Reply failed = connection.call(add, 2, 1, most);
            connection.call(add, 3, 1, most - Long.MAX_VALUE - 1);
            Reply again = connection.call(add, 2, 1, most);

            assertThat(failed.getFailure().getCode()).isEqualTo(Failure.Code.NUMERIC_OVERFLOW);
            assertThat(again.getFailure().getCode()).isEqualTo(Failure.Code.NUMERIC_OVERFLOW);
            assertThat(BankServer.total(server)).isZero();
        }
    }

    @Test
    void shouldWriteNothingWhenACallComesAgainThatWroteNothing() throws IOException {
        try (Server server = BankServer.open(directory, 1, LoggingMethod.COMMAND, 0);
                RawConnection connection = RawConnection.greeted(server.address(), CLIENT)) {
            int withdraw = connection.handle("WithdrawIfCovered");
            Reply first = connection.call(withdraw, 1, 1, 3, 100);
            connection.call(connection.handle("Deposit"), 2, 1, 3, 100);

            Reply again = connection.call(withdraw, 1, 1, 3, 100);

            assertThat(first.getValue().getInteger()).isZero();
            assertThat(again.hasFailure()).isFalse();
            assertThat(again.getValue().getInteger()).isZero();
            assertThat(BankServer.total(server)).isEqualTo(100);
        }
    }

    @Test
    void shouldSayThatAResultIsLostWhichIsNoNumber() throws IOException {
        try (Server server = BankServer.open(directory, 1, LoggingMethod.COMMAND, 0);
                RawConnection connection = RawConnection.greeted(server.address(), CLIENT)) {
            int note = connection.handle("Note");
            Reply first = connection.call(note, 1, 1, 3, 100);

            Reply again = connection.call(note, 1, 1, 3, 100);

            assertThat(first.getValue().getText()).isEqualTo("added 100");
            assertThat(again.getFailure().getCode()).isEqualTo(Failure.Code.RESULT_LOST);
            assertThat(BankServer.total(server)).isEqualTo(100);
        }
    }

    @Test
    void shouldRunCallsWithoutANumberAsOftenAsTheyCome() throws IOException {
        try (Server server = BankServer.open(directory, 1, LoggingMethod.COMMAND, 0);
                RawConnection connection = RawConnection.greeted(server.address(), CLIENT)) {
            int deposit = connection.handle("Deposit");

            connection.call(deposit, 0, 0, 3, 5);
            connection.call(deposit, 0, 0, 3, 5);

            assertThat(BankServer.total(server)).isEqualTo(10);
        }
    }

    @Test
    void shouldNotSayThatACallWasNotRunThatWaitsForTheLog() throws Exception {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        try (Server server = BankServer.open(disk);
                RawConnection first = RawConnection.greeted(server.address(), CLIENT);
                RawConnection second = RawConnection.greeted(server.address(), CLIENT)) {
            int deposit = first.handle("Deposit");
            int again = second.handle("Deposit");
            disk.faults().readOnly(true);
            CompletableFuture<Reply> waiting = CompletableFuture.supplyAsync(() -> call(first, deposit));
            while (!server.engine().durabilityStats().orElseThrow().log().blocked()) {
                Thread.sleep(5);
            }

            CompletableFuture<Reply> repeated = CompletableFuture.supplyAsync(() -> call(second, again));

            assertThatThrownBy(() -> repeated.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            disk.faults().readOnly(false);
            assertThat(waiting.get(60, TimeUnit.SECONDS).getValue().getInteger())
                    .isEqualTo(100);
            assertThat(repeated.get(60, TimeUnit.SECONDS).getValue().getInteger())
                    .isEqualTo(100);
            assertThat(BankServer.total(server)).isEqualTo(100);
        }
    }

    private static Reply call(RawConnection connection, int deposit) {
        try {
            return connection.call(deposit, 1, 1, 3, 100);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One call of each kind, on a connection of its own; the sum of what they return. */
    private static long callAll(Server server, long sequence) throws IOException {
        try (RawConnection connection = RawConnection.greeted(server.address(), CLIENT)) {
            long sum = 0;
            int deposit = connection.handle("Deposit");
            for (int id = 0; id < BankServer.ACCOUNTS; id++) {
                sum += connection
                        .call(deposit, sequence * 100 + id, 1, id, 7)
                        .getValue()
                        .getInteger();
            }
            Reply everywhere = connection.call(connection.handle("DepositEverywhere"), sequence * 100 + 50, 1, 1000);
            Reply split = connection.call(connection.handle("AddToAll"), sequence * 100 + 51, 1, 50);
            assertThat(everywhere.getValue().getInteger()).isEqualTo(BankServer.ACCOUNTS);
            assertThat(split.hasFailure()).isFalse();
            return sum;
        }
    }

    private static long total() {
        return BankServer.ACCOUNTS * (7 + 1000 + 50);
    }
}
