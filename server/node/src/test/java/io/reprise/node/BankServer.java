package io.reprise.node;

import io.reprise.engine.Durability;
import io.reprise.engine.Options;
import io.reprise.engine.SmallDurability;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.net.reprise.PortSettings;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;
import io.reprise.simulation.SimulatedFileStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** A server with accounts, whose money can be counted. Also a process of its own, to be killed. */
final class BankServer {
    static final int ACCOUNTS = 20;

    private static final String DDL = """
            CREATE TABLE account (id BIGINT NOT NULL, balance BIGINT NOT NULL, PRIMARY KEY (id));
            PARTITION TABLE account ON COLUMN id;
            CREATE PROCEDURE PARTITION ON TABLE account COLUMN id FROM CLASS io.reprise.node.BankServer$Deposit;
            CREATE PROCEDURE PARTITION ON TABLE account COLUMN id FROM CLASS io.reprise.node.BankServer$Note;
            CREATE PROCEDURE PARTITION ON TABLE account COLUMN id FROM CLASS io.reprise.node.BankServer$Withdraw;
            CREATE PROCEDURE PARTITION ON TABLE account COLUMN id FROM CLASS io.reprise.node.BankServer$WithdrawIfCovered;
            CREATE PROCEDURE FROM CLASS io.reprise.node.BankServer$DepositEverywhere;
            CREATE PROCEDURE FROM CLASS io.reprise.node.BankServer$Transfer;
            CREATE PROCEDURE AddToAll AS UPDATE account SET balance = balance + ?;
            """;

    private BankServer() {}

    /** Adds to a balance, and gives the new one. */
    public static final class Deposit extends Procedure {
        private final Statement balance = sql("SELECT balance FROM account WHERE id = ?");
        private final Statement add = sql("UPDATE account SET balance = balance + ? WHERE id = ?");

        /** Gives the new balance. */
        public long run(long id, long amount) {
            add.set(0, amount).set(1, id).update();
            return balance.set(0, id).first() ? balance.rows().longAt(0) : -1;
        }
    }

    /** Successors of Deposit. */
    public static final class Replacements {
        private Replacements() {}

        /** Adds to several balances: takes other arguments. */
        public static final class Deposit extends Procedure {
            private final Statement add = sql("UPDATE account SET balance = balance + ? WHERE id = ?");

            /** Gives how many balances have changed. */
            public long run(long[] ids, long amount) {
                long count = 0;
                for (long id : ids) {
                    count += add.set(0, amount).set(1, id).update();
                }
                return count;
            }
        }
    }

    /** The same, giving the new balance as words. */
    public static final class Note extends Procedure {
        private final Statement add = sql("UPDATE account SET balance = balance + ? WHERE id = ?");

        /** Gives a string. */
        public String run(long id, long amount) {
            add.set(0, amount).set(1, id).update();
            return "added " + amount;
        }
    }

    /** Takes from a balance, or fails. */
    public static final class Withdraw extends Procedure {
        private final Statement balance = sql("SELECT balance FROM account WHERE id = ?");
        private final Statement add = sql("UPDATE account SET balance = balance - ? WHERE id = ?");

        /** Gives what was taken. */
        public long run(long id, long amount) {
            add.set(0, amount).set(1, id).update();
            balance.set(0, id).first();
            if (balance.rows().longAt(0) < 0) {
                throw abort("not enough");
            }
            return amount;
        }
    }

    /** Takes from a balance, or writes nothing. */
    public static final class WithdrawIfCovered extends Procedure {
        private final Statement add = sql("UPDATE account SET balance = balance - ? WHERE id = ? AND balance >= ?");

        /** Gives how many balances have changed. */
        public long run(long id, long amount) {
            return add.set(0, amount).set(1, id).set(2, amount).update();
        }
    }

    /** Takes from one balance and adds to another, or fails. */
    public static final class Transfer extends Procedure {
        private final Statement balance = sql("SELECT balance FROM account WHERE id = ?");
        private final Statement add = sql("UPDATE account SET balance = balance + ? WHERE id = ?");

        /** Gives what was moved. */
        public long run(long from, long to, long amount) {
            add.set(0, amount).set(1, to).update();
            add.set(0, -amount).set(1, from).update();
            balance.set(0, from).first();
            if (balance.rows().longAt(0) < 0) {
                throw abort("not enough");
            }
            return amount;
        }
    }

    /** Adds to every balance, one account after the other. */
    public static final class DepositEverywhere extends Procedure {
        private final Statement add = sql("UPDATE account SET balance = balance + ? WHERE id = ?");

        /** Gives how many balances have changed. */
        public long run(long amount) {
            long count = 0;
            for (int id = 0; id < ACCOUNTS; id++) {
                count += add.set(0, amount).set(1, (long) id).update();
            }
            return count;
        }
    }

    static Server open(Path directory, int partitions, LoggingMethod method, int port) {
        return open(
                Options.create()
                        .partitions(partitions)
                        .directory(directory)
                        .durability(Durability.standard().with(method)),
                port);
    }

    /** With data records, which several decode when it starts. */
    static Server openWithDecoders(Path directory, int partitions) {
        return open(
                Options.create()
                        .partitions(partitions)
                        .directory(directory)
                        .replay(SmallDurability.replay())
                        .durability(Durability.standard().with(LoggingMethod.PHYSIOLOGICAL)),
                0);
    }

    /** With commands logged on this disk. */
    static Server open(SimulatedFileStore disk) {
        return open(Options.create().partitions(1).files(disk).durability(Durability.standard()), 0);
    }

    private static Server open(Options options, int port) {
        options.memoryPerPartition(64 << 20).ddl(DDL);
        Server server =
                Server.open(options, PortSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
        if (total(server) < 0) {
            for (int id = 0; id < ACCOUNTS; id++) {
                server.engine().sql("INSERT INTO account VALUES (?, 0)", (long) id);
            }
        }
        return server;
    }

    /** All money, or -1 if there are no accounts yet. */
    static long total(Server server) {
        var rows = server.engine()
                .sql("SELECT COUNT(*), SUM(balance) FROM account")
                .rows();
        rows.next();
        return rows.longAt(0) == 0 ? -1 : rows.longAt(1);
    }

    /** Arguments: directory, partitions, logging method, port. Prints the port, and ends with its standard input. */
    public static void main(String[] arguments) throws IOException {
        try (Server server = open(
                Path.of(arguments[0]),
                Integer.parseInt(arguments[1]),
                LoggingMethod.valueOf(arguments[2]),
                Integer.parseInt(arguments[3]))) {
            System.out.println("port " + server.address().getPort());
            System.out.flush();
            while (System.in.read() >= 0) {
                continue;
            }
        }
    }
}
