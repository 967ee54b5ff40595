package io.reprise.runtime.agent;

import java.util.function.Consumer;
import org.jctools.queues.MessagePassingQueue;

/**
 * The common part of the rings. Each ring has its own hot methods, on a queue of one class, so that they are inlined;
 * here they would see two classes of queues.
 */
abstract sealed class Ring<E> permits SpscRing, MpscRing {
    private final MessagePassingQueue<E> elements;
    private final Waker consumerWaker;

    Ring(MessagePassingQueue<E> elements, Waker consumerWaker) {
        this.elements = elements;
        this.consumerWaker = consumerWaker;
    }

    /** Wakes the consumer if the element was accepted and the consumer sleeps. Producer. */
    final boolean woken(boolean accepted) {
        if (accepted && consumerWaker != null) {
            consumerWaker.wake();
        }
        return accepted;
    }

    /** Producer: appends the element and wakes the consumer, or returns false because the ring is full. */
    public abstract boolean offer(E element);

    /** Producer: appends without waking; for batches, whose last step is {@link Waker#wake}. */
    public abstract boolean offerQuietly(E element);

    /** Consumer: takes the oldest element, or returns null because there is none. */
    public abstract E poll();

    /** Consumer: the oldest element, which stays, or null because there is none. */
    public abstract E peek();

    /** Consumer: gives at most {@code limit} elements to the handler. Returns how many. */
    public final int drain(Consumer<? super E> handler, int limit) {
        int count = 0;
        while (count < limit) {
            E element = poll();
            if (element == null) {
                break;
            }
            count++;
            handler.accept(element);
        }
        return count;
    }

    /** Any thread: the number of elements, roughly while others change it. */
    public final int size() {
        return elements.size();
    }

    /** Any thread: whether there is none, roughly while others change it. */
    public final boolean isEmpty() {
        return elements.isEmpty();
    }

    /** The number of elements that fit. */
    public final int capacity() {
        return elements.capacity();
    }
}
