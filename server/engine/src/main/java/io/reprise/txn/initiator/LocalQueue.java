package io.reprise.txn.initiator;

import io.reprise.execution.Invocation;

/** A bounded queue within one thread. */
final class LocalQueue {
    private final Invocation[] slots;
    private long head;
    private long tail;

    LocalQueue(int capacity) {
        slots = new Invocation[Integer.highestOneBit(Math.max(2, capacity) - 1) << 1];
    }

    boolean offer(Invocation invocation) {
        if (tail - head == slots.length) {
            return false;
        }
        slots[(int) tail++ & slots.length - 1] = invocation;
        return true;
    }

    Invocation poll() {
        if (head == tail) {
            return null;
        }
        int at = (int) head++ & slots.length - 1;
        Invocation invocation = slots[at];
        slots[at] = null;
        return invocation;
    }

    int size() {
        return (int) (tail - head);
    }
}
