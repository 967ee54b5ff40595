package io.reprise.runtime.order;

/** An executor's view of an initiator: the id up to which it sends nothing more. */
public interface InitiatorPromise {
    /**
     * Asks the initiator to send nothing at or below the id from now on, and returns what it promises already: every
     * id that it will make from now on is above the returned one, and everything it sent at or below is in its queues,
     * visible to the caller.
     *
     * <p>Never waits. An initiator in this process gives the promise at once, unless it is just stamping; one on another
     * node returns what its last heartbeat said.
     *
     * @return at least {@code id} if the promise could be had; otherwise an older one, and the caller asks again later
     */
    long promiseAtLeast(long id);
}
