package io.reprise.recovery.replay;

import io.reprise.log.RecordKind;
import java.nio.ByteBuffer;

/**
 * An operator's choice of how to go on where a replay differs from the first time. It is a record of the log, so that each later
 * replay makes the same choice. Immutable.
 *
 * <pre>
 *  byte  action: 1 skip, 2 accept, 3 up to, 4 accept all
 *  long  transaction id, big endian; 0 for accept all
 * </pre>
 *
 * @param transactionId the transaction that it is about; 0 for {@link Action#ACCEPT_ALL}
 */
public record RecoveryChoice(Action action, long transactionId) {
    /** The size of a payload. */
    private static final int BYTES = 1 + Long.BYTES;

    /** The ways to go on. */
    public enum Action {
        /** The transaction is left out. */
        SKIP(1),
        /** The transaction's new writes, or its new failure, count. Only for commands. */
        ACCEPT(2),
        /** The transaction and all records behind it are left out, up to the record of the choice. */
        UP_TO(3),
        /** Each command that differs is accepted, up to the record of the choice. */
        ACCEPT_ALL(4);

        private final byte code;

        Action(int code) {
            this.code = (byte) code;
        }
    }

    /** Whether a choice of {@link Action#UP_TO} may name a record of this kind: a transaction, or a change of the schema. */
    public static boolean mayCut(RecordKind kind) {
        return kind.isTransaction() || kind == RecordKind.CATALOG;
    }

    /** A choice about one transaction. */
    public static RecoveryChoice of(Action action, long transactionId) {
        return new RecoveryChoice(action, transactionId);
    }

    /** All commands that differ are accepted. */
    public static RecoveryChoice acceptAll() {
        return new RecoveryChoice(Action.ACCEPT_ALL, 0);
    }

    /** The payload of its record. */
    public byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .put(action.code)
                .putLong(transactionId)
                .array();
    }

    /** Reads a payload. */
    public static RecoveryChoice decode(byte[] payload) {
        for (Action action : Action.values()) {
            if (payload.length == BYTES && payload[0] == action.code) {
                return new RecoveryChoice(action, ByteBuffer.wrap(payload).getLong(1));
            }
        }
        throw new IllegalStateException("the log has a recovery choice that this version does not know");
    }

    /** Words for messages. */
    public String text() {
        String transaction = "transaction 0x" + Long.toHexString(transactionId);
        return switch (action) {
            case SKIP -> "skip " + transaction;
            case ACCEPT -> "accept the new writes of " + transaction;
            case UP_TO -> "recover up to " + transaction + " and discard it with all behind it";
            case ACCEPT_ALL -> "accept the new writes of each transaction that differs";
        };
    }
}
