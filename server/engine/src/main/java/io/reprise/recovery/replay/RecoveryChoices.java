package io.reprise.recovery.replay;

import io.reprise.log.LogRecords;
import io.reprise.log.RecordKind;
import io.reprise.redo.DivergedReplayException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The {@link RecoveryChoice}s that a replay follows, and its state in that. A replay knows all choices when it begins; one that meets
 * a record of another choice ends with {@link UnknownChoiceException}, and is begun again with that choice. The replaying thread's.
 */
public final class RecoveryChoices {
    private final List<RecoveryChoice> open;
    private final Set<Long> met = new TreeSet<>();
    private boolean discarding;
    private boolean accepted;

    /** Choices for one replay. */
    public RecoveryChoices(List<RecoveryChoice> choices) {
        open = new ArrayList<>(choices);
    }

    /** A replay has met the record of a choice that it did not know. */
    public static final class UnknownChoiceException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnknownChoiceException(RecoveryChoice choice) {
            super("the log has a recovery choice that the replay did not follow: " + choice.text());
        }
    }

    /** Whether there is none, as nearly always. */
    public boolean isEmpty() {
        return open.isEmpty();
    }

    /** Whether a record is left out. Only a choice's own record never is. */
    boolean leavesOut(LogRecords records) {
        if (records.kind() == RecordKind.RECOVERY_CHOICE) {
            return false;
        }
        boolean left = discarding;
        for (RecoveryChoice choice : open) {
            boolean cuts = choice.action() == RecoveryChoice.Action.UP_TO && RecoveryChoice.mayCut(records.kind());
            if (choice.transactionId() == records.transactionId() && (cuts || isTransaction(records))) {
                met.add(choice.transactionId());
                discarding |= choice.action() == RecoveryChoice.Action.UP_TO;
                left |= choice.action() == RecoveryChoice.Action.SKIP || discarding;
            }
        }
        return left;
    }

    private static boolean isTransaction(LogRecords records) {
        return records.kind().isTransaction();
    }

    /** Whether the outcome of a command counts whatever it is. */
    boolean accepts(long transactionId) {
        for (RecoveryChoice choice : open) {
            if (choice.action() == RecoveryChoice.Action.ACCEPT_ALL
                    || choice.action() == RecoveryChoice.Action.ACCEPT && choice.transactionId() == transactionId) {
                return true;
            }
        }
        return false;
    }

    /** A command that was accepted did differ. */
    void differed() {
        accepted = true;
    }

    /** Whether any command that was accepted did differ: then the data are not those that there were. */
    public boolean haveAccepted() {
        return accepted;
    }

    /** The replay has come to a choice's record: it has been followed. */
    void end(RecoveryChoice choice, long transactionId, String where) {
        if (!open.remove(choice)) {
            throw new UnknownChoiceException(choice);
        }
        requireMet(choice, transactionId, where);
        if (choice.action() == RecoveryChoice.Action.UP_TO) {
            discarding = false;
        }
    }

    private void requireMet(RecoveryChoice choice, long transactionId, String where) {
        if (choice.action() != RecoveryChoice.Action.ACCEPT_ALL && !met.contains(choice.transactionId())) {
            throw new DivergedReplayException(
                    transactionId,
                    "The log has, " + where + ", the choice to " + choice.text()
                            + ", and the snapshot from which the recovery began was made behind that transaction. Put a newer"
                            + " or an older snapshot back, or restore a backup. Nothing was changed on disk.");
        }
    }

    /** The choices whose transactions were not in the log. */
    public List<RecoveryChoice> notMet() {
        return open.stream()
                .filter(choice -> choice.action() != RecoveryChoice.Action.ACCEPT_ALL)
                .filter(choice -> !met.contains(choice.transactionId()))
                .toList();
    }
}
