package io.reprise.wire;

/**
 * A failure as it was sent.
 *
 * @param code the kind of failure, as {@code Failure.Code} of the protocol has it; of a newer server perhaps an
 *     unknown one
 * @param message the description
 * @param retryIsSafe whether the same call may succeed when it is sent again, and had no effect
 * @param notRun whether nothing was run for this reply, so that it says nothing of an attempt that was made before
 */
public record WireFailure(int code, String message, boolean retryIsSafe, boolean notRun) {
    static WireFailure read(MessageReader reader) {
        int code = 0;
        String message = "";
        boolean retryIsSafe = false;
        boolean notRun = false;
        while (reader.hasMore()) {
            int tag = reader.tag();
            switch (tag) {
                case Wire.FAILURE_CODE:
                    code = (int) reader.varint();
                    break;
                case Wire.FAILURE_MESSAGE:
                    message = reader.text();
                    break;
                case Wire.FAILURE_RETRY_IS_SAFE:
                    retryIsSafe = reader.varint() != 0;
                    break;
                case Wire.FAILURE_NOT_RUN:
                    notRun = reader.varint() != 0;
                    break;
                default:
                    reader.skip(tag);
            }
        }
        return new WireFailure(code, message, retryIsSafe, notRun);
    }
}
