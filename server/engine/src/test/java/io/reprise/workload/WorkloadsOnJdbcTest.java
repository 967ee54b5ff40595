package io.reprise.workload;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The workloads' own logic, on an engine that is trusted: they keep their invariants, and checkers find what is broken. */
class WorkloadsOnJdbcTest {
    private static final Placement PLACEMENT = Placement.single();

    static Stream<Workload> workloads() {
        return Stream.of(
                new Tpcc(TpccOptions.small(2).withSizes(100, 30)),
                new Smallbank(SmallbankOptions.uniform(100)),
                new Voter(VoterOptions.STANDARD),
                new Tatp(TatpOptions.standard(100)),
                new Tatp(new TatpOptions(100, true, 2)),
                new Ycsb(YcsbOptions.standard(YcsbOptions.Mix.A, 100)),
                new Ycsb(YcsbOptions.standard(YcsbOptions.Mix.D, 100)),
                new Ycsb(YcsbOptions.standard(YcsbOptions.Mix.E, 100)),
                new Ycsb(YcsbOptions.standard(YcsbOptions.Mix.F, 100)));
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void shouldKeepItsInvariantsWhenRun(Workload workload) throws Exception {
        try (JdbcDatabase database = new JdbcDatabase(workload, PLACEMENT)) {
            workload.load(database);
            SerialRun run = new SerialRun(workload, database, 1);
            assertThat(run.check()).as("after loading").isEmpty();

            run.run(2_000);

            assertThat(run.check()).as("after the run").isEmpty();
            assertThat(run.committed()).isGreaterThan(1_600);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
             1 | UPDATE warehouse SET w_ytd = w_ytd + 1 WHERE w_id = 2
             2 | UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = 1 AND d_id = 3
             3 | DELETE FROM new_order WHERE no_w_id = 1 AND no_d_id = 1 AND no_o_id = 28
             4 | UPDATE orders SET o_ol_cnt = o_ol_cnt + 1 WHERE o_w_id = 1 AND o_d_id = 1 AND o_id = 5
             5 | UPDATE orders SET o_carrier_id = 3 WHERE o_w_id = 1 AND o_d_id = 1 AND o_id = 30
             6 | DELETE FROM order_line WHERE ol_w_id = 2 AND ol_d_id = 1 AND ol_o_id = 5 AND ol_number = 1
             7 | UPDATE order_line SET ol_delivery_d = NULL WHERE ol_w_id = 2 AND ol_d_id = 1 AND ol_o_id = 5 AND ol_number = 2
             8 | DELETE FROM history WHERE h_w_id = 2 AND h_d_id = 1 AND h_c_id = 1
             9 | UPDATE district SET d_ytd = d_ytd - 10 WHERE d_w_id = 2 AND d_id = 2
            10 | UPDATE customer SET c_balance = c_balance + 1 WHERE c_w_id = 1 AND c_d_id = 10 AND c_id = 30
            11 | UPDATE customer SET c_delivery_cnt = 1 WHERE c_w_id = 1 AND c_d_id = 10 AND c_id = 30
            12 | UPDATE customer SET c_ytd_payment = 11 WHERE c_w_id = 1 AND c_d_id = 10 AND c_id = 30
            """)
    void shouldNameTheConditionWhenTpccIsInconsistent(int condition, String damage) throws Exception {
        Tpcc tpcc = new Tpcc(TpccOptions.small(2).withSizes(100, 30));
        try (JdbcDatabase database = new JdbcDatabase(tpcc, PLACEMENT)) {
            tpcc.load(database);

            database.query(damage);

            assertThat(new SerialRun(tpcc, database, 1).check())
                    .extracting(Workload.Violation::condition)
                    .contains("TPC-C consistency condition " + condition);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            smallbank | UPDATE savings SET bal = bal + 0.01 WHERE custid = 7 | money is conserved
            smallbank | DELETE FROM accounts WHERE custid = 7 | no customer comes or goes
            smallbank | UPDATE savings SET bal = -1 WHERE custid = 7 | savings are never negative
            voter     | DELETE FROM votes WHERE phone_number = (SELECT MIN(phone_number) FROM votes) | totals are those of the votes
            voter     | UPDATE votes_by_phone_number SET num_votes = 3 | SELECT COUNT(*) FROM votes_by_phone_number WHERE num_votes > 2
            voter     | UPDATE votes SET phone_number = (SELECT MIN(phone_number) FROM votes) WHERE phone_number = (SELECT MAX(phone_number) FROM votes) | each phone's votes are counted
            tatp      | DELETE FROM special_facility | call forwardings belong to special facilities
            tatp      | DELETE FROM call_forwarding WHERE s_id < 10 | SELECT COUNT(*) FROM call_forwarding
            ycsb-a    | DELETE FROM usertable WHERE ycsb_key = (SELECT MIN(ycsb_key) FROM usertable) | records are those loaded and inserted
            ycsb-a    | UPDATE usertable SET field5 = 'short' | fields are 100 characters long
            ycsb-a    | UPDATE usertable SET field9 = 'short' | fields are 100 characters long
            """)
    void shouldFindTheDamageWhenOtherWorkloadsAreInconsistent(String name, String damage, String condition)
            throws Exception {
        Workload workload =
                workloads().filter(w -> w.name().equals(name)).findFirst().orElseThrow();
        try (JdbcDatabase database = new JdbcDatabase(workload, PLACEMENT)) {
            workload.load(database);
            SerialRun run = new SerialRun(workload, database, 1).run(200);

            database.query(damage);

            assertThat(run.check()).extracting(Workload.Violation::condition).contains(condition);
        }
    }
}
