package io.reprise.runtime.agent;

/** An agent did not end in time after it was told to close. */
public final class AgentHangsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    AgentHangsException(String threadName, long timeoutMs, StackTraceElement[] stack) {
        super(threadName + " has not ended " + timeoutMs + " ms after it was told to; it is at "
                + (stack.length == 0 ? "no known place" : stack[0]));
        initCause(new HangingThread(threadName, stack));
    }

    /** Carries the hanging thread's stack into the log. */
    private static final class HangingThread extends Throwable {
        private static final long serialVersionUID = 1L;

        HangingThread(String threadName, StackTraceElement[] stack) {
            super("stack of " + threadName, null, false, true);
            setStackTrace(stack);
        }
    }
}
