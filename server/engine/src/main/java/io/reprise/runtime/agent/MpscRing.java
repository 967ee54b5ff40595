package io.reprise.runtime.agent;

import org.jctools.queues.varhandle.MpscVarHandleArrayQueue;

/**
 * A bounded queue from any number of producer threads to one consumer thread, in the order of offering. A full ring
 * refuses; it never waits. An element whose offer has not returned yet hides those offered after it, so the consumer
 * may find nothing for a moment although {@link #size} is not 0; the end of that offer wakes it.
 */
public final class MpscRing<E> extends Ring<E> {
    private final MpscVarHandleArrayQueue<E> queue;

    /** A ring whose consumer polls; the capacity is rounded up to a power of two. */
    public MpscRing(int capacity) {
        this(capacity, null);
    }

    /** A ring that wakes its consumer with each element. */
    public MpscRing(int capacity, Waker consumerWaker) {
        this(new MpscVarHandleArrayQueue<>(capacity), consumerWaker);
    }

    private MpscRing(MpscVarHandleArrayQueue<E> queue, Waker consumerWaker) {
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
