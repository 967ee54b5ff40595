package io.reprise.engine.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Catalog;
import io.reprise.cluster.BucketPlace;
import io.reprise.cluster.Member;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.Replicas;
import io.reprise.execution.BucketMap;
import io.reprise.execution.Partition;
import io.reprise.execution.Work;
import io.reprise.recovery.replay.BucketMove;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.storage.PartitionStore;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A follower lists the rows of buckets that are to leave before the records of their moves come. */
final class FollowedMovesTest {
    private static final int STEPS = 100;
    static final Catalog CATALOG = CatalogScript.load("""
            CREATE TABLE t (k BIGINT NOT NULL PRIMARY KEY);
            PARTITION TABLE t ON COLUMN k;
            """);

    private final PartitionStore store = new PartitionStore(PartitionStore.Options.single(1L << 26));
    private final OwnedBuckets owned = new OwnedBuckets(BucketMap.dealt(1).bucketSet(0));
    private final LeavingRows leaving;
    private final FollowedMoves followed;

    FollowedMovesTest() {
        store.createTable(CATALOG.table("T").orElseThrow());
        leaving = new LeavingRows(Partition.over(List.of(store)).getFirst(), new Tables());
        followed = new FollowedMoves(0, owned, leaving);
    }

    @AfterEach
    void close() {
        leaving.end();
        store.close();
    }

    private static BitSet buckets(int... numbers) {
        BitSet set = new BitSet();
        for (int bucket : numbers) {
            set.set(bucket);
        }
        return set;
    }

    /** Some buckets of partition 0 are to go to partition 1. */
    private static PartitionMap map(int... going) {
        List<BucketPlace> places = new ArrayList<>();
        for (int bucket : going) {
            places.add(new BucketPlace(bucket, 0, 1));
        }
        Replicas line = new Replicas(1, 1, 0, List.of(new Member(0, 1)));
        return new PartitionMap(List.of(0), List.of(), List.of(line, line), places);
    }

    private void follow(PartitionMap map) {
        for (int i = 0; i < STEPS; i++) {
            followed.step(map);
        }
    }

    @Test
    void shouldHaveTheRowsOfABucketListedWhenTheMapHasAGoalForIt() {
        follow(map(3, 5));

        assertThat(leaving.has(buckets(3, 5))).isTrue();
        assertThat(leaving.has(4)).isFalse();
    }

    @Test
    void shouldListAgainWhenTheMapHasMoreGoals() {
        follow(map(3));
        follow(map(3, 5));

        assertThat(leaving.has(buckets(3, 5))).isTrue();
    }

    @Test
    void shouldKeepTheListWhenOneOfItsBucketsHasLeft() {
        follow(map(3, 5));
        owned.moved(new BucketMove(false, 1, buckets(3), List.of()));
        followed.step(map(3, 5));

        assertThat(leaving.has(5)).isTrue();
    }

    @Test
    void shouldForgetTheListWhenNoBucketIsToLeave() {
        follow(map(3, 5));
        follow(map());

        assertThat(leaving.isActive()).isFalse();
        assertThat(store.isObserved()).isFalse();
    }

    @Test
    void shouldForgetTheListWhenTheNodeDoesNotFollowAnyMore() {
        follow(map(3, 5));
        followed.end();

        assertThat(leaving.isActive()).isFalse();
    }

    /** A schema that does not change. */
    static final class Tables implements StreamSchema {
        @Override
        public Catalog catalog() {
            return CATALOG;
        }

        @Override
        public void check(Partition partition, byte[] change, long transactionId) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void committed(byte[] change, long transactionId) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isChangeDue() {
            return false;
        }

        @Override
        public long changed() {
            return 0;
        }

        @Override
        public byte[] whole() {
            throw new UnsupportedOperationException();
        }

        @Override
        public long hash() {
            return 0;
        }

        @Override
        public void take(byte[] whole, long transactionId) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Work procedure(int version) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Work statement(String text) {
            throw new UnsupportedOperationException();
        }

        @Override
        public BucketMap buckets() {
            throw new UnsupportedOperationException();
        }
    }
}
