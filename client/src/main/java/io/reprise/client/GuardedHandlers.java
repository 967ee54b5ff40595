package io.reprise.client;

import io.reprise.wire.ReplyReader;

/**
 * Tells handlers the outcomes of their calls. They are an application's: their exceptions go to the handler of
 * uncaught ones, and neither other calls nor the connection suffer from them. The network thread's.
 */
final class GuardedHandlers {
    private GuardedHandlers() {}

    static void replied(ReplyHandler handler, long cookie, ReplyReader reply) {
        try {
            handler.replied(cookie, reply);
        } catch (RuntimeException | Error thrown) {
            uncaught(thrown);
        }
    }

    static void failed(ReplyHandler handler, long cookie, CallException why) {
        try {
            handler.failed(cookie, why);
        } catch (RuntimeException | Error thrown) {
            uncaught(thrown);
        }
    }

    /** Makes it known as if the thread had ended of it, but the thread goes on. */
    static void uncaught(Throwable thrown) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        } catch (RuntimeException | Error ignored) {
            // A thread that ended of it would take no notice either.
        }
    }
}
