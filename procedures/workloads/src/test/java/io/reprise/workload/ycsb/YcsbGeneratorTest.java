package io.reprise.workload.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.reprise.workload.CallRecorder;
import io.reprise.workload.Placement;
import io.reprise.workload.RandomValues;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class YcsbGeneratorTest {
    private static final int CALLS = 100_000;
    private static final int RECORDS = 1_000;

    @ParameterizedTest
    @EnumSource(YcsbOptions.Mix.class)
    void shouldMixOperationsWhenDrawn(YcsbOptions.Mix mix) {
        CallRecorder calls = calls(mix);
        int[] counts = new int[5];
        for (int i = 0; i < CALLS; i++) {
            counts[calls.next()]++;
        }

        for (int procedure = 0; procedure < counts.length; procedure++) {
            assertThat(100.0 * counts[procedure] / CALLS).isCloseTo(mix.share(procedure), within(0.7));
        }
    }

    @Test
    void shouldFollowZipfsLawWhenDrawn() {
        Zipfian zipfian = new Zipfian(RECORDS);
        RandomValues random = new RandomValues(5);
        int[] counts = new int[RECORDS];
        for (int i = 0; i < 1_000_000; i++) {
            counts[(int) zipfian.next(random)]++;
        }

        double zeta = 0;
        for (int i = 1; i <= RECORDS; i++) {
            zeta += Math.pow(i, -Zipfian.THETA);
        }
        assertThat(counts[0] / 1e6).isCloseTo(1 / zeta, within(0.002));
        assertThat(counts[1] / 1e6).isCloseTo(Math.pow(2, -Zipfian.THETA) / zeta, within(0.002));
        long firstHundred = 0;
        double expected = 0;
        for (int i = 1; i <= 100; i++) {
            firstHundred += counts[i - 1];
            expected += Math.pow(i, -Zipfian.THETA) / zeta;
        }
        assertThat(firstHundred / 1e6).isCloseTo(expected, within(0.02));
    }

    @Test
    void shouldGiveTheSameAsANewOneWhenGrown() {
        Zipfian grown = new Zipfian(10);
        grown.growTo(RECORDS);
        Zipfian fresh = new Zipfian(RECORDS);
        RandomValues one = new RandomValues(6);
        RandomValues other = new RandomValues(6);

        for (int i = 0; i < 10_000; i++) {
            assertThat(grown.next(one)).isEqualTo(fresh.next(other));
        }
    }

    @Test
    void shouldAskForLoadedRecordsOnlyWhenNothingIsInserted() {
        Set<Long> keys = new HashSet<>();
        for (int record = 0; record < RECORDS; record++) {
            keys.add(Ycsb.key(record));
        }
        CallRecorder calls = calls(YcsbOptions.Mix.C);
        Map<Object, Integer> counts = new HashMap<>();
        for (int i = 0; i < CALLS; i++) {
            calls.next();
            assertThat(keys).contains((Long) calls.at(0));
            counts.merge(calls.at(0), 1, Integer::sum);
        }

        int most = counts.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
        assertThat(100.0 * most / CALLS).as("share of the most popular record").isBetween(3.5, 4.3);
        assertThat(counts).as("records that are asked for").hasSize(RECORDS);
    }

    @Test
    void shouldPreferNewRecordsWhenLatest() {
        CallRecorder calls = calls(YcsbOptions.Mix.D);
        Set<Object> inserted = new HashSet<>();
        int reads = 0;
        int ofNew = 0;
        for (int i = 0; i < CALLS; i++) {
            if (calls.next() == Ycsb.INSERT) {
                assertThat(inserted.add(calls.at(0))).as("a new key").isTrue();
                assertThat(calls.at(1).toString()).hasSize(1_000);
            } else if (i > CALLS / 2) {
                reads++;
                ofNew += inserted.contains(calls.at(0)) ? 1 : 0;
            }
        }

        assertThat(100.0 * ofNew / reads).isGreaterThan(85);
    }

    private static CallRecorder calls(YcsbOptions.Mix mix) {
        return new CallRecorder(new Ycsb(YcsbOptions.standard(mix, RECORDS)).generator(9, Placement.single(), 0));
    }
}
