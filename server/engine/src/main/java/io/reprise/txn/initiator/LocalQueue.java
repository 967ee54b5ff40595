package io.reprise.txn.initiator;

import io.reprise.execution.Execution;

/** A bounded queue within one thread. */
final class LocalQueue {
    private final Execution[] slots;
    private long head;
    private long tail;

    LocalQueue(int capacity) {
        slots = new Execution[Integer.highestOneBit(Math.max(2, capacity) - 1) << 1];
    }

    boolean offer(Execution execution) {
        if (tail - head == slots.length) {
            return false;
        }
        slots[(int) tail++ & slots.length - 1] = execution;
        return true;
    }

    Execution poll() {
        if (head == tail) {
            return null;
        }
        int at = (int) head++ & slots.length - 1;
        Execution execution = slots[at];
        slots[at] = null;
        return execution;
    }

    int size() {
        return (int) (tail - head);
    }
}
