package io.reprise.execution.durable;

import io.reprise.execution.Answers;
import io.reprise.execution.Execution;
import io.reprise.execution.Work;
import io.reprise.execution.deploy.Arguments;
import io.reprise.id.BucketSet;
import io.reprise.log.LogRecords;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.record.command.CommandReader;
import java.util.function.Function;
import java.util.function.IntFunction;

/** Makes calls of command records again. One thread's. */
public final class CommandReplayer {
    /** The message of a call whose arguments name other buckets than its record does. */
    public static final String OTHER_BUCKETS = "its arguments do not name the buckets that its record has at home";

    private final CommandReader reader = new CommandReader();
    private final Answers answers = new Answers();
    private final BucketSet home = new BucketSet();

    /**
     * Reads the record that {@code records} stands at.
     *
     * @param procedures finds the version of a procedure by its number, or gives null
     * @param statements finds a statement that is no procedure
     * @param arguments gets the values that were passed
     */
    public Work read(
            LogRecords records, IntFunction<Work> procedures, Function<String, Work> statements, Arguments arguments) {
        reader.over(records.memory().segment(), records.payload(), records.payloadBytes());
        Work work = reader.versionId() == Work.NO_VERSION
                ? statements.apply(reader.statement())
                : procedures.apply(Math.toIntExact(reader.versionId()));
        if (work == null) {
            throw new IllegalStateException(
                    "it calls version " + reader.versionId() + " of a procedure, which the schema does not have there");
        }
        CommandArguments.read(reader, arguments);
        return work;
    }

    /**
     * Prepares the call of the record that {@code records} stands at: arguments checked, routed by today's buckets, with its old id.
     *
     * @throws io.reprise.procedure.ProcedureException if the arguments are rejected; the execution has its work by then
     */
    public void prepare(LogRecords records, CommandSchema schema, Execution execution) {
        Work work = read(
                records,
                schema::procedure,
                schema::statement,
                execution.request().arguments());
        execution.prepare(work, ended -> {}, 0);
        work.checkArguments(execution);
        work.route(execution, schema.buckets());
        if (records.hasAnswers() && !answer(records, execution, answers)) {
            throw new ProcedureException(ErrorCode.INVALID_REQUEST, OTHER_BUCKETS);
        }
        execution.stamp(records.transactionId());
    }

    /**
     * Has a call run at home alone, with the answers that its record has from elsewhere. Behind its routing. Returns false if its arguments
     * do not name the record's buckets at home.
     */
    public boolean answer(LogRecords records, Execution execution, Answers from) {
        BucketSet routed = execution.buckets();
        home.clear();
        for (int i = 0; i < records.bucketCount(); i++) {
            int bucket = records.bucket(i);
            if (routed == null ? bucket != execution.bucket() : !routed.contains(bucket)) {
                return false;
            }
            home.add(bucket);
        }
        from.replay(records.memory(), records.answers(), records.answersBytes());
        execution.answerFrom(from, home);
        return true;
    }
}
