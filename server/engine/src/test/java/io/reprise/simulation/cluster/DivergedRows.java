package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.Member;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.Replicas;
import io.reprise.engine.Reply;
import io.reprise.execution.BucketMap;
import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.Randomness;
import io.reprise.simulation.cluster.CallDoor.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Rows that differ at a follower, past log and replication. The next write of such a row is not answered before the follower has left
 * the in-sync set, and in the end all replicas are equal.
 *
 * <p>Each has an account of its own.
 */
final class DivergedRows {
    private static final long FIRST = 10;
    private static final int MOST = 80;
    private static final int ATTEMPTS = 2_000;

    private final GrowthScenario cluster;
    private final ClusterOperator operator;
    private final Randomness random;
    private final List<Long> accounts = new ArrayList<>();
    private long next = FIRST;

    DivergedRows(GrowthScenario cluster, ClusterOperator operator) {
        this.cluster = cluster;
        this.operator = operator;
        random = cluster.simulation.randomness();
    }

    /** While no other fault is under way. Returns whether a row differed. */
    boolean strike() {
        if (accounts.size() == MOST || !isWhole()) {
            return false;
        }
        long account = next++;
        accounts.add(account);
        await("OpenAccount", account);
        int partition = partitionOf(account);
        Replicas line = map().partitions().get(partition);
        ClusterMachine follower = followerOf(line);
        if (follower == null || !damage(follower, partition, account)) {
            return false;
        }

        await("Deposit", 1L, account);

        Replicas behind = map().partitions().get(partition);
        if (behind.leader() == follower.number()) {
            // It was taken for the best of the survivors meanwhile: nothing knows of the damage yet.
            operator.giveUp();
            return false;
        }
        assertThat(behind.epoch())
                .as("the epoch of partition %d, whose replica at %s had another row", partition, follower)
                .isGreaterThan(line.epoch());
        return true;
    }

    private boolean isWhole() {
        return cluster.shape().kSafety() > 0
                && !operator.hasDamage()
                && !operator.hasExcuses()
                && cluster.isSettled()
                && operator.isInSync();
    }

    private PartitionMap map() {
        return cluster.map();
    }

    private int partitionOf(long account) {
        ClusterMachine up = null;
        while (up == null || !up.isUp()) {
            up = operator.any(random);
        }
        BucketMap buckets = up.engine().buckets();
        return buckets.partition(buckets.bucketOf(account));
    }

    /** Some in-sync follower that runs; null if there is none. */
    private ClusterMachine followerOf(Replicas line) {
        for (ClusterMachine each : operator.machines()) {
            Member member = each.member();
            if (each.isUp() && line.has(member) && line.leader() != each.number() && !line.isMoving()) {
                return each;
            }
        }
        return null;
    }

    /** Returns whether the replica has the row, and has another one now. */
    private boolean damage(ClusterMachine follower, int partition, long account) {
        OtherValue work = new OtherValue(partition, account, true);
        Call call = new Call(work, 0, 0, null);
        Member member = follower.member();
        follower.door().send(call, partition);
        cluster.reach(
                "another row at " + follower,
                () -> call.isAnswered || !follower.isUp() || !follower.member().equals(member));
        return work.changed() > 0 && follower.isUp() && follower.member().equals(member);
    }

    /** Calls at all nodes in turn until one of them says that the call has committed, or did so before. */
    private void await(String procedure, Object... arguments) {
        for (int i = 0; i < ATTEMPTS; i++) {
            ClusterMachine node = operator.any(random);
            if (node.isUp()) {
                CompletableFuture<Reply> answer = node.engine().callAsync(procedure, arguments);
                cluster.reach("an answer of " + procedure, () -> answer.isDone() || !node.isUp());
                if (answer.isDone() && !answer.isCompletedExceptionally() && isDone(answer.join())) {
                    return;
                }
            }
            cluster.simulation.runFor(5_000_000);
        }
        throw new AssertionError(procedure + " does not commit\n" + cluster.describe());
    }

    private static boolean isDone(Reply reply) {
        return reply.committed() || reply.error() == ErrorCode.CONSTRAINT_VIOLATION;
    }

    /** Behind the check of all replicas: no account is lost. */
    void check() {
        for (long account : accounts) {
            assertThat(cluster.rows("Balance", account).next())
                    .as("account %d is there", account)
                    .isTrue();
        }
    }
}
