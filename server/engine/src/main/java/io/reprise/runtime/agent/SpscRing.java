package io.reprise.runtime.agent;

import org.jctools.queues.varhandle.SpscVarHandleArrayQueue;

/**
 * A bounded queue from one producer thread to one consumer thread, in the order of offering. A full ring refuses; it
 * never waits.
 */
public final class SpscRing<E> extends Ring<E> {
    private final SpscVarHandleArrayQueue<E> queue;

    /** A ring whose consumer polls; the capacity is rounded up to a power of two. */
    public SpscRing(int capacity) {
        this(capacity, null);
    }

    /** A ring that wakes its consumer with each element. */
    public SpscRing(int capacity, Waker consumerWaker) {
        this(new SpscVarHandleArrayQueue<>(capacity), consumerWaker);
    }

    private SpscRing(SpscVarHandleArrayQueue<E> queue, Waker consumerWaker) {
        super(queue, consumerWaker);
        this.queue = queue;
    }

    @Override
    public boolean offer(E element) {
        return woken(queue.offer(element));
    }

    @Override
    public boolean offerQuietly(E element) {
        return queue.offer(element);
    }

    @Override
    public E poll() {
        return queue.relaxedPoll();
    }

    @Override
    public E peek() {
        return queue.relaxedPeek();
    }
}
