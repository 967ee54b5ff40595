package io.reprise.execution.work;

import io.reprise.execution.Answers;
import io.reprise.execution.Lent;
import io.reprise.execution.Partition;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import io.reprise.procedure.Text;
import io.reprise.runtime.memory.WorkMemory;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.sql.compile.runtime.HeapRows;
import io.reprise.sql.compile.runtime.RowBuffer;
import io.reprise.sql.compile.runtime.RowShape;
import io.reprise.sql.place.Reach;
import io.reprise.sql.plan.StatementTraits;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * A statement of a transaction that holds several partitions. Each execution finds out where it runs: at the partition
 * that holds its bucket, at the home partition (replicated tables are read anywhere), or at all of them, whose results
 * are then merged. The compiled statements of the partitions themselves do the work: they are lent too.
 *
 * <p>{@link Answers} keep what other partitions answer, if boundary records are logged. The replay of one takes it from there.
 */
final class LentStatement extends Statement {
    /** The place of an execution. */
    private enum Place {
        HOME,
        ONE_BUCKET,
        ALL_PARTITIONS;

        static Place of(Reach reach) {
            return switch (reach) {
                case Reach.Any any -> HOME;
                case Reach.Bucket bucket -> ONE_BUCKET;
                case Reach.All all -> ALL_PARTITIONS;
                case Reach.Everywhere everywhere -> ALL_PARTITIONS;
            };
        }
    }

    /** The approximate memory of empty rows. */
    private static final long QUEUED_BYTES = 960;

    private static final int RETAINED_QUEUED = 256;

    private final Partition home;
    private final int number;
    private final Lent lent;
    private final StatementTraits traits;
    private final CompiledStatement[] statements;
    private final ParameterBuffer parameters;
    private final List<Rows> fragments = new ArrayList<>();
    private final List<HeapRows> queued = new ArrayList<>();
    private final Place place;
    private final int keyParameter;
    private int queuedCount;
    private long usedIn = -1;
    private Rows rows;

    /** Rows that a replay hands out. */
    private HeapRows handedOut;

    LentStatement(Partition home, int number, StatementTraits traits, CompiledStatement[] statements) {
        this.home = home;
        this.number = number;
        this.lent = home.lent();
        this.traits = traits;
        this.statements = statements;
        this.parameters = new ParameterBuffer(traits.sql(), traits.parameters().size());
        this.place = Place.of(traits.reach());
        this.keyParameter = traits.reach() instanceof Reach.Bucket bucket ? bucket.wholeParameter() : -1;
    }

    private ParameterBuffer parameters() {
        long transaction = home.store().transactionId();
        if (usedIn != transaction) {
            usedIn = transaction;
            queuedCount = 0;
            rows = null;
            parameters.clear();
        }
        return parameters;
    }

    @Override
    public Statement set(int parameter, long value) {
        parameters().set(parameter, value);
        return this;
    }

    @Override
    public Statement set(int parameter, double value) {
        parameters().set(parameter, value);
        return this;
    }

    @Override
    public Statement set(int parameter, boolean value) {
        parameters().set(parameter, value);
        return this;
    }

    @Override
    public Statement set(int parameter, String value) {
        parameters().setObject(parameter, value);
        return this;
    }

    @Override
    public Statement set(int parameter, Text value) {
        parameters().set(parameter, value);
        return this;
    }

    @Override
    public Statement set(int parameter, byte[] value) {
        parameters().setObject(parameter, value == null ? null : value.clone());
        return this;
    }

    @Override
    public Statement set(int parameter, BigDecimal value) {
        parameters().setObject(parameter, value);
        return this;
    }

    @Override
    public Statement setUnscaled(int parameter, long unscaled) {
        parameters().setUnscaled(parameter, unscaled);
        return this;
    }

    @Override
    public Statement setNull(int parameter) {
        parameters().setNull(parameter);
        return this;
    }

    @Override
    public Rows query() {
        rows = null;
        Answers answers = lent.answers();
        if (isAnswered(answers)) {
            handedOut = handedOut == null ? new HeapRows() : handedOut;
            rows = answers.rows(number, parameters().hash(), shape(), handedOut);
            return rows;
        }
        CompiledStatement single = target();
        boolean elsewhere = answers != null && answers.isKeeping() && goesElsewhere(answers, single);
        rows = single != null ? single.query() : everywhere();
        if (elsewhere) {
            answers.keep(number, parameters.hash(), (RowBuffer) rows);
        }
        return rows;
    }

    /** Whether a replay has the answer of the execution that begins. */
    private static boolean isAnswered(Answers answers) {
        return answers != null && answers.execute();
    }

    private RowShape shape() {
        return statements[home.slot()].fragmentShape();
    }

    private boolean goesElsewhere(Answers answers, CompiledStatement single) {
        if (single == statements[home.slot()]) {
            return false;
        }
        if (single == null) {
            answers.spoil();
            return false;
        }
        answers.goesElsewhere();
        return true;
    }

    @Override
    public Rows rows() {
        parameters();
        if (rows == null) {
            throw CompiledStatement.noRows(traits.sql());
        }
        return rows;
    }

    @Override
    public long update() {
        Answers answers = lent.answers();
        if (isAnswered(answers)) {
            return answers.changed(number, parameters().hash());
        }
        CompiledStatement single = target();
        boolean elsewhere = answers != null && answers.isKeeping() && goesElsewhere(answers, single);
        if (single != null) {
            long changed = single.update();
            if (elsewhere) {
                answers.keep(number, parameters.hash(), changed);
            }
            return changed;
        }
        RowBuffer counted = (RowBuffer) everywhere();
        if (traits.returnsRows()) {
            return counted.count();
        }
        counted.next();
        return counted.longAt(0);
    }

    @Override
    public Rows queue() {
        Answers answers = lent.answers();
        if (isAnswered(answers)) {
            return answers.rows(number, parameters().hash(), shape(), nextQueued());
        }
        CompiledStatement single = target();
        boolean elsewhere = answers != null && answers.isKeeping() && goesElsewhere(answers, single);
        if (single != null) {
            Rows found = single.queue();
            if (elsewhere) {
                answers.keep(number, parameters.hash(), (RowBuffer) found);
            }
            return found;
        }
        // The last query's are in the buffer that is about to be used.
        rows = null;
        return nextQueued().copyOf((RowBuffer) everywhere());
    }

    private HeapRows nextQueued() {
        if (queuedCount == queued.size()) {
            addQueued();
        }
        return queued.get(queuedCount++);
    }

    private void addQueued() {
        WorkMemory work = home.store().workMemory();
        work.take(QUEUED_BYTES);
        if (queued.size() == RETAINED_QUEUED) {
            work.letGoAfterwards(
                    () -> queued.subList(RETAINED_QUEUED, queued.size()).clear());
        }
        queued.add(new HeapRows());
    }

    /** The one statement that has to run, with its parameters set; null if all have to. */
    private CompiledStatement target() {
        ParameterBuffer values = parameters();
        if (place == Place.ALL_PARTITIONS) {
            return null;
        }
        CompiledStatement own = statements[home.slot()];
        if (place == Place.ONE_BUCKET) {
            return keyTarget(values, own);
        }
        values.applyTo(own);
        return own;
    }

    private CompiledStatement keyTarget(ParameterBuffer values, CompiledStatement own) {
        int bucket;
        boolean whole = keyParameter >= 0 && values.isWhole(keyParameter);
        if (whole) {
            bucket = home.store().bucketOf(values.word(keyParameter));
        } else {
            values.applyTo(own);
            bucket = own.bucket();
        }
        Partition holder = lent.holderOf(bucket);
        if (holder == null) {
            throw home.store().scope().violation(bucket);
        }
        CompiledStatement target = statements[holder.slot()];
        if (whole || target != own) {
            values.applyTo(target);
        }
        return target;
    }

    /** Runs at all partitions, or leaves no trace at any, and merges. */
    private Rows everywhere() {
        if (!lent.isAll()) {
            throw home.store()
                    .scope()
                    .violation("the statement has to run in all partitions, of which this transaction holds only"
                            + " some; declare the procedure without PARTITION ON: " + traits.sql());
        }
        if (!traits.writes()) {
            runAll();
        } else {
            int before = lent.savepoint();
            boolean whole = false;
            try {
                runAll();
                whole = true;
            } finally {
                if (!whole) {
                    lent.rollbackTo(before);
                }
                lent.releaseSavepoint(before);
            }
        }
        CompiledStatement own = statements[home.slot()];
        if (traits.merges()) {
            own.merge(fragments);
        }
        own.found().rewind();
        return own.found();
    }

    private void runAll() {
        fragments.clear();
        for (CompiledStatement statement : statements) {
            parameters.applyTo(statement);
            statement.execute();
            statement.found().rewind();
            fragments.add(statement.found());
        }
    }
}
