package io.reprise.runtime.agent;

import java.util.function.Consumer;
import org.jctools.queues.varhandle.MpscVarHandleArrayQueue;

/**
 * A bounded queue from any number of producer threads to one consumer thread, in the order of offering. A full ring
 * refuses; it never waits. An element whose offer has not returned yet hides those offered after it, so the consumer
 * may find nothing for a moment although {@link #size} is not 0; the end of that offer wakes it.
 */
public final class MpscRing<E> {
    private final MpscVarHandleArrayQueue<E> queue;
    private final Waker consumerWaker;

    /** A ring whose consumer polls; the capacity is rounded up to a power of two. */
    public MpscRing(int capacity) {
        this(capacity, null);
    }

    /** A ring that wakes its consumer with each element. */
    public MpscRing(int capacity, Waker consumerWaker) {
        this.queue = new MpscVarHandleArrayQueue<>(capacity);
        this.consumerWaker = consumerWaker;
    }

    /** Producer: appends the element and wakes the consumer, or returns false because the ring is full. */
    public boolean offer(E element) {
        boolean accepted = queue.offer(element);
        if (accepted && consumerWaker != null) {
            consumerWaker.wake();
        }
        return accepted;
    }

    /** Producer: appends without waking; for batches, whose last step is {@link Waker#wake}. */
    public boolean offerQuietly(E element) {
        return queue.offer(element);
    }

    /** Consumer: takes the oldest element, or returns null because there is none. */
    public E poll() {
        return queue.relaxedPoll();
    }

    /** Consumer: the oldest element, which stays, or null because there is none. */
    public E peek() {
        return queue.relaxedPeek();
    }

    /** Consumer: gives at most {@code limit} elements to the handler. Returns how many. */
    public int drain(Consumer<? super E> handler, int limit) {
        int count = 0;
        while (count < limit) {
            E element = queue.relaxedPoll();
            if (element == null) {
                break;
            }
            count++;
            handler.accept(element);
        }
        return count;
    }

    /** Any thread: how many elements there are, roughly while others change it. */
    public int size() {
        return queue.size();
    }

    /** Any thread: whether there is none, roughly while others change it. */
    public boolean isEmpty() {
        return queue.isEmpty();
    }

    /** How many elements fit. */
    public int capacity() {
        return queue.capacity();
    }
}
