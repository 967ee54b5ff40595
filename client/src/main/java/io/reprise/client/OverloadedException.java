package io.reprise.client;

/** Too much waits already, at the server or in this client. The call was not run; try again later. */
public final class OverloadedException extends CallException {
    private static final long serialVersionUID = 1L;

    OverloadedException(String message) {
        super(ErrorCode.OVERLOADED, message, true);
    }

    /** The failure of a caller that does not wait for room, or has waited for as long as its call may take. */
    static OverloadedException noRoom(ClientSettings settings) {
        return new OverloadedException(noRoomText(settings) + "; the call was not sent");
    }

    /** The same, without what becomes of it. */
    static String noRoomText(ClientSettings settings) {
        return "as many calls of this client are under way as may be, which is at most "
                + settings.maxCalls() + " calls of " + (CallWindow.MOST_BYTES >> 20)
                + " MiB together, and less while the server is overloaded"
                + (settings.waitForRoom() ? ", and there was no room within the call's timeout" : "");
    }
}
