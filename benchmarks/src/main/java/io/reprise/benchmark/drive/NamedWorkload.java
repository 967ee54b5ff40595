package io.reprise.benchmark.drive;

import io.reprise.procedure.Rows;
import io.reprise.workload.Database;
import io.reprise.workload.Workload;
import io.reprise.workload.smallbank.Smallbank;
import io.reprise.workload.smallbank.SmallbankOptions;
import io.reprise.workload.tatp.Tatp;
import io.reprise.workload.tatp.TatpOptions;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import io.reprise.workload.voter.Voter;
import io.reprise.workload.voter.VoterOptions;
import io.reprise.workload.ycsb.Ycsb;
import io.reprise.workload.ycsb.YcsbOptions;
import io.reprise.workload.ycsb.YcsbOptions.Mix;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The workloads that can be asked for by name: their sizes, and how to see what of them a database holds. */
public enum NamedWorkload {
    TPCC("warehouses", 4) {
        @Override
        public Workload workload(int size, Mix mix) {
            return new Tpcc(TpccOptions.standard(size));
        }

        @Override
        public Workload atHome(int size, Mix mix) {
            return new Tpcc(TpccOptions.standard(size).withRemote(0, 0));
        }

        // Orders of the last district come last.
        @Override
        Content look(Database database, int wanted) {
            long warehouses = number(database, "SELECT COUNT(*) FROM warehouse");
            long first = warehouses * Tpcc.DISTRICTS * TpccOptions.standard(1).customersPerDistrict();
            return new Content(
                    warehouses,
                    number(database, "SELECT COUNT(*) FROM customer") == first
                            && number(database, "SELECT COUNT(*) FROM orders") >= first);
        }
    },

    SMALLBANK("customers", 100_000) {
        @Override
        public Workload workload(int size, Mix mix) {
            return new Smallbank(SmallbankOptions.uniform(size));
        }

        // They are numbered from 0 and loaded partition by partition, so a part of them has gaps.
        @Override
        Content look(Database database, int wanted) {
            long customers = number(database, "SELECT COUNT(*) FROM accounts");
            return new Content(customers, number(database, "SELECT MAX(custid) FROM accounts") == customers - 1);
        }
    },

    VOTER("", 1) {
        @Override
        public Workload workload(int size, Mix mix) {
            return new Voter(VoterOptions.STANDARD);
        }

        // Loaded by one transaction.
        @Override
        Content look(Database database, int wanted) {
            long contestants = number(database, "SELECT COUNT(*) FROM contestants");
            return new Content(
                    contestants == 0 ? 0 : 1, contestants == 0 || contestants == VoterOptions.STANDARD.contestants());
        }
    },

    YCSB("records", 100_000) {
        @Override
        public Workload workload(int size, Mix mix) {
            return new Ycsb(YcsbOptions.standard(mix, size));
        }

        // Some may have been inserted since: those that were loaded are at least as many as are asked for, or not
        // enough.
        @Override
        Content look(Database database, int wanted) {
            long records = number(database, "SELECT COUNT(*) FROM usertable");
            return new Content(Math.min(records, wanted), records == 0 || records >= wanted);
        }
    },

    TATP("subscribers", 100_000) {
        @Override
        public Workload workload(int size, Mix mix) {
            return new Tatp(TatpOptions.standard(size));
        }

        // They are numbered from 1 and loaded partition by partition, so a part of them has gaps.
        @Override
        Content look(Database database, int wanted) {
            long subscribers = number(database, "SELECT COUNT(*) FROM subscriber");
            return new Content(subscribers, number(database, "SELECT MAX(s_id) FROM subscriber") == subscribers);
        }
    };

    private static final Pattern TABLE = Pattern.compile("CREATE TABLE (\\w+)");

    private final String unit;
    private final int usualSize;

    NamedWorkload(String unit, int usualSize) {
        this.unit = unit;
        this.usualSize = usualSize;
    }

    /**
     * A database's content of a workload.
     *
     * @param size in the workload's unit; 0: nothing
     * @param whole whether it was loaded to the end
     */
    record Content(long size, boolean whole) {}

    /** The workload, so large; only YCSB has mixes. */
    public abstract Workload workload(int size, Mix mix);

    /** The same without what the workload has at other warehouses, so that no transaction has several partitions. */
    public Workload atHome(int size, Mix mix) {
        return workload(size, mix);
    }

    /** Looks at tables that exist. */
    abstract Content look(Database database, int wanted);

    /** The unit of its size, in the plural; empty for a workload that has one size only. */
    String unit() {
        return unit;
    }

    /** The default size. */
    public int usualSize() {
        return usualSize;
    }

    /** The names of its tables. */
    List<String> tables() {
        Matcher tables = TABLE.matcher(workload(usualSize, Mix.A).ddl());
        return tables.results().map(table -> table.group(1)).toList();
    }

    /** The workload of this name. */
    static Optional<NamedWorkload> named(String name) {
        return Stream.of(values())
                .filter(each -> each.toString().equals(name.toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    /** All names, for messages. */
    static String names() {
        return String.join(
                ", ", Arrays.stream(values()).map(NamedWorkload::toString).toList());
    }

    /** As users type it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static long number(Database database, String sql) {
        Rows rows = database.query(sql);
        rows.next();
        return rows.isNull(0) ? -1 : rows.longAt(0);
    }
}
