package io.reprise.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

/**
 * The calls on some partitions and what was told of them. Each partition is a list that only grows, so a history is
 * linearizable if each told write is at its index in the end, each told read saw a prefix of the end, and a call that
 * began after another was told is not in front of it.
 */
final class ReplicaHistory {
    /** A call; of a read, index, size and hash are those of the state that it saw. */
    record Call(int partition, boolean isWrite, long value, long index, int size, long hash, long beganNs) {}

    private record Told(Call call, long toldNs) {}

    private final List<Told> told = new ArrayList<>();

    Call write(int partition, long value, long index, long nowNs) {
        return new Call(partition, true, value, index, 0, 0, nowNs);
    }

    Call read(int partition, long index, int size, long hash, long nowNs) {
        return new Call(partition, false, 0, index, size, hash, nowNs);
    }

    void told(Call call, long nowNs) {
        told.add(new Told(call, nowNs));
    }

    int size() {
        return told.size();
    }

    void check(int partition, ValueList end) {
        List<Told> calls =
                told.stream().filter(each -> each.call.partition == partition).toList();
        long[] hashes = new long[end.size() + 1];
        for (int i = 0; i < end.size(); i++) {
            hashes[i + 1] = ValueList.next(hashes[i], end.entries().get(i));
        }
        long[] positions = new long[calls.size()];
        for (int i = 0; i < positions.length; i++) {
            Call call = calls.get(i).call;
            if (call.isWrite) {
                positions[i] = end.entries().indexOf(new ValueList.Entry(call.index, call.value)) + 1L;
                assertThat(positions[i]).as("told write is lost: %s", call).isPositive();
            } else {
                positions[i] = call.size;
                assertThat(call.size).as("told read is ahead: %s", call).isLessThanOrEqualTo(end.size());
                assertThat(call.hash).as("told read is dirty: %s", call).isEqualTo(hashes[call.size]);
            }
        }
        checkOrder(calls, positions);
    }

    private static void checkOrder(List<Told> calls, long[] positions) {
        for (int earlier = 0; earlier < positions.length; earlier++) {
            for (int later = 0; later < positions.length; later++) {
                Call call = calls.get(later).call;
                if (calls.get(earlier).toldNs < call.beganNs) {
                    assertThat(positions[later])
                            .as("stale: %s began after %s was told", call, calls.get(earlier).call)
                            .isGreaterThanOrEqualTo(positions[earlier] + (call.isWrite ? 1 : 0));
                }
            }
        }
    }
}
