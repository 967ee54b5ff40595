package io.reprise.engine;

import io.reprise.execution.deploy.Arguments;
import io.reprise.execution.work.StatementWork;
import io.reprise.execution.work.TapeAnswer;
import io.reprise.execution.work.TapeEntry;
import java.util.Optional;

/**
 * A step of a session's transaction. It keeps the plan and the form of the arguments with which it has run, for the next time; a change of
 * the schema has it planned again. Owned by the session.
 */
public final class TapeStep {
    private final TapeEntry.Kind kind;
    private final int savepoint;
    private final String sql;
    private final Object[] arguments;
    private final Optional<TapeAnswer> told;

    /** Null until the step runs. */
    private StatementWork work;

    /** The arguments as the engine takes them; null until the step runs. */
    private Arguments passed;

    private TapeStep(TapeEntry.Kind kind, int savepoint, String sql, Object[] arguments, Optional<TapeAnswer> told) {
        this.kind = kind;
        this.savepoint = savepoint;
        this.sql = sql;
        this.arguments = arguments;
        this.told = told;
    }

    /** A statement whose answer is asked for. */
    public static TapeStep statement(String sql, Object... arguments) {
        return new TapeStep(TapeEntry.Kind.STATEMENT, 0, sql, arguments, Optional.empty());
    }

    /** SAVEPOINT, with a number for later steps. */
    public static TapeStep savepoint(int number) {
        return new TapeStep(TapeEntry.Kind.SAVEPOINT, number, "", new Object[0], Optional.empty());
    }

    /** ROLLBACK TO SAVEPOINT. */
    public static TapeStep rollbackTo(int number) {
        return new TapeStep(TapeEntry.Kind.ROLLBACK_TO, number, "", new Object[0], Optional.empty());
    }

    /** The same statement with the answer that the client knows. */
    public TapeStep told(TapeAnswer answer) {
        return with(Optional.of(answer));
    }

    /** The same statement, whose answer is asked for again. */
    public TapeStep untold() {
        return with(Optional.empty());
    }

    private TapeStep with(Optional<TapeAnswer> answer) {
        TapeStep step = new TapeStep(kind, savepoint, sql, arguments, answer);
        step.work = work;
        step.passed = passed;
        return step;
    }

    /** A statement, or a step between savepoints. */
    public TapeEntry.Kind kind() {
        return kind;
    }

    /** The statement. */
    public String sql() {
        return sql;
    }

    /** The statement's arguments. */
    public Object[] arguments() {
        return arguments;
    }

    /** The answer that the client knows; empty: the answer is asked for. */
    public Optional<TapeAnswer> told() {
        return told;
    }

    /** Whether it can run without being planned first. A statement that draws values of sequences can't. */
    boolean isReady(EngineSchema schema) {
        if (kind != TapeEntry.Kind.STATEMENT) {
            return true;
        }
        if (work == null || work.retired()) {
            work = schema.planned(sql).orElse(null);
        }
        return work != null && work.traits().sequences().isEmpty();
    }

    /** The step for one run of the tape. */
    TapeEntry entry(EngineSchema schema) {
        return switch (kind) {
            case SAVEPOINT -> TapeEntry.savepoint(savepoint);
            case ROLLBACK_TO -> TapeEntry.rollbackTo(savepoint);
            case STATEMENT -> statementEntry(schema);
        };
    }

    /** The same of a step that is ready. It is not planned again, also if its plan is out of service by now: the run tells then. */
    TapeEntry readyEntry() {
        return kind == TapeEntry.Kind.STATEMENT ? statementEntry() : entry(null);
    }

    private TapeEntry statementEntry(EngineSchema schema) {
        if (work == null || work.retired()) {
            work = schema.statement(sql);
        }
        return statementEntry();
    }

    private TapeEntry statementEntry() {
        if (passed == null) {
            passed = Arguments.of(arguments);
        }
        return told.isPresent() ? TapeEntry.told(work, told.get(), passed) : TapeEntry.statement(work, passed);
    }
}
