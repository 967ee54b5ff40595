package io.reprise.session;

import io.reprise.execution.Result;
import io.reprise.sql.compile.runtime.RowBuffer;

/** The tags of commands: the words that tell a client which statement has run, and on how many rows. */
final class CommandTags {
    private CommandTags() {}

    /** The answer of a statement that was a transaction of its own. */
    static Answer answer(Prepared prepared, Result result) {
        return result.kind() == Result.Kind.ROWS
                ? Answer.of(tag(prepared), prepared.columns(), (RowBuffer) result.rows())
                : Answer.done(writeTag(prepared, result.word()));
    }

    /** The tag of a statement with rows. */
    static String tag(Prepared prepared) {
        if (prepared.kind() == ClientStatement.Kind.EXPLAIN) {
            return "EXPLAIN";
        } else if (prepared.readOnly()) {
            return "SELECT";
        }
        String word = prepared.statement().word(0);
        return word.equals("INSERT") || word.equals("UPSERT") ? "INSERT 0" : word;
    }

    /** The tag of a statement that has changed rows. */
    static String writeTag(Prepared prepared, long count) {
        String word = prepared.statement().word(0);
        return switch (word) {
            case "INSERT", "UPSERT" -> "INSERT 0 " + count;
            case "TRUNCATE" -> "TRUNCATE TABLE";
            case "WITH" -> "UPDATE " + count;
            default -> word + " " + count;
        };
    }
}
