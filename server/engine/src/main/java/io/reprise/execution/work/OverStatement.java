package io.reprise.execution.work;

import io.reprise.execution.Answers;
import io.reprise.execution.Elsewhere;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.id.BucketSet;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import io.reprise.procedure.Text;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.sql.compile.runtime.HeapRows;
import io.reprise.sql.compile.runtime.RowBuffer;
import io.reprise.sql.place.Reach;
import io.reprise.sql.plan.StatementTraits;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * A statement of a procedure over nodes. Each execution finds its place: the home partition, another participant, or all
 * partitions, whose results are merged at home.
 *
 * <p>{@link Answers} keep the results from other participants, if boundary records are logged. They count executions as the statements of
 * a replay do, which are {@link LentStatement}s.
 */
final class OverStatement extends Statement {
    private final Partition home;
    private final int number;
    private final StatementTraits traits;
    private final CompiledStatement own;
    private final ParameterBuffer parameters;
    private Execution execution;
    private Elsewhere elsewhere;

    /** Null unless answers of other partitions are kept. */
    private Answers answers;

    private Rows rows;

    OverStatement(Partition home, int number, StatementTraits traits, CompiledStatement own) {
        this.home = home;
        this.number = number;
        this.traits = traits;
        this.own = own;
        parameters = new ParameterBuffer(traits.sql(), traits.parameters().size());
    }

    void begin(Execution of, Elsewhere others, Answers kept) {
        execution = of;
        elsewhere = others;
        answers = kept;
        rows = null;
        parameters.clear();
    }

    @Override
    public Statement set(int parameter, long value) {
        parameters.set(parameter, value);
        return this;
    }

    @Override
    public Statement set(int parameter, double value) {
        parameters.set(parameter, value);
        return this;
    }

    @Override
    public Statement set(int parameter, boolean value) {
        parameters.set(parameter, value);
        return this;
    }

    @Override
    public Statement set(int parameter, String value) {
        parameters.setObject(parameter, value);
        return this;
    }

    @Override
    public Statement set(int parameter, Text value) {
        parameters.set(parameter, value);
        return this;
    }

    @Override
    public Statement set(int parameter, byte[] value) {
        parameters.setObject(parameter, value == null ? null : value.clone());
        return this;
    }

    @Override
    public Statement set(int parameter, BigDecimal value) {
        parameters.setObject(parameter, value);
        return this;
    }

    @Override
    public Statement setUnscaled(int parameter, long unscaled) {
        parameters.setUnscaled(parameter, unscaled);
        return this;
    }

    @Override
    public Statement setNull(int parameter) {
        parameters.setNull(parameter);
        return this;
    }

    @Override
    public Rows query() {
        rows = null;
        count();
        int at = place();
        rows = at == home.id() ? own.query() : foundRows(at);
        return rows;
    }

    private void count() {
        if (answers != null) {
            answers.execute();
        }
    }

    private void goesElsewhere(int at) {
        if (answers != null && at >= 0) {
            answers.goesElsewhere();
        }
    }

    private Rows foundRows(int at) {
        goesElsewhere(at);
        Rows found = found(at);
        if (answers != null && at >= 0) {
            answers.keep(number, parameters.hash(), (RowBuffer) found);
        }
        return found;
    }

    @Override
    public Rows rows() {
        if (rows == null) {
            throw CompiledStatement.noRows(traits.sql());
        }
        return rows;
    }

    @Override
    public long update() {
        count();
        return update(place());
    }

    private long update(int at) {
        if (at == home.id()) {
            return own.update();
        }
        goesElsewhere(at);
        if (!traits.writes()) {
            throw CompiledStatement.noUpdate(traits.sql());
        }
        Rows counted = found(at);
        counted.next();
        long changed = counted.longAt(0);
        keepChanged(at, changed);
        return changed;
    }

    private void keepChanged(int at, long changed) {
        if (answers != null && at >= 0) {
            answers.keep(number, parameters.hash(), changed);
        }
    }

    @Override
    public void run() {
        count();
        int at = place();
        if (at == home.id() || at < 0 || !traits.writes() || traits.returnsRows()) {
            update(at);
        } else {
            goesElsewhere(at);
            elsewhere.runUnread(number, parameters.encode(), at, own.fragmentShape());
            // The count may come later. The procedure does not use it, so a replay gives any.
            keepChanged(at, 0);
        }
    }

    /** A hint breaks no rule: a bucket of another transaction is not prefetched. */
    @Override
    public void prefetch() {
        if (traits.writes() || !parameters.areSet()) {
            return;
        }
        parameters.applyTo(own);
        int at = traits.reach() instanceof Reach.Bucket ? execution.map().partition(own.bucket()) : home.id();
        if (at == home.id()) {
            own.prefetch();
        } else if (execution.positionOf(at) >= 0 && isOwn(own.bucket())) {
            elsewhere.prefetch(number, parameters.encode(), at, own.fragmentShape());
        }
    }

    private boolean isOwn(int bucket) {
        BucketSet confined = execution.buckets();
        return confined == null ? execution.bucket() < 0 || execution.bucket() == bucket : confined.contains(bucket);
    }

    @Override
    public Rows queue() {
        count();
        int at = place();
        if (at == home.id()) {
            return own.queue();
        }
        Rows found = foundRows(at);
        return found instanceof HeapRows copied && at >= 0 ? copied : new HeapRows().copyOf(own.found());
    }

    /** The only partition that runs it, with the parameters set if that is the home; -1 if all do. */
    private int place() {
        parameters.applyTo(own);
        return switch (traits.reach()) {
            case Reach.Any any -> home.id();
            case Reach.Bucket bucket -> holder(own.bucket());
            case Reach.All all -> -1;
            case Reach.Everywhere everywhere -> -1;
        };
    }

    private int holder(int bucket) {
        int partition = execution.map().partition(bucket);
        if (execution.positionOf(partition) < 0) {
            throw home.store().scope().violation(bucket);
        }
        return partition;
    }

    private Rows found(int at) {
        if (at >= 0) {
            return elsewhere
                    .run(number, parameters.encode(), new int[] {at}, own.fragmentShape(), traits.writes())
                    .getFirst();
        }
        return everywhere();
    }

    /** Runs at all partitions, or leaves no trace at any, and merges. */
    private Rows everywhere() {
        if (execution.participantCount() != execution.map().partitions()) {
            throw home.store()
                    .scope()
                    .violation("the statement has to run in all partitions, of which this transaction holds only"
                            + " some; declare the procedure without PARTITION ON: " + traits.sql());
        }
        int[] others = new int[execution.participantCount() - 1];
        for (int i = 0, to = 0; i < execution.participantCount(); i++) {
            if (execution.participant(i) != home.id()) {
                others[to++] = execution.participant(i);
            }
        }
        int before = elsewhere.savepoint();
        List<HeapRows> theirs =
                elsewhere.run(number, parameters.encode(), others, own.fragmentShape(), traits.writes());
        boolean whole = false;
        try {
            own.execute();
            whole = true;
        } finally {
            if (!whole && traits.writes()) {
                elsewhere.rollbackTo(before);
            }
        }
        own.found().rewind();
        List<Rows> fragments = new ArrayList<>(theirs);
        fragments.add(execution.positionOf(home.id()), own.found());
        if (traits.merges()) {
            own.merge(fragments);
        }
        own.found().rewind();
        return own.found();
    }
}
