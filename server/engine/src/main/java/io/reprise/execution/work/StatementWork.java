package io.reprise.execution.work;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Elsewhere;
import io.reprise.execution.Execution;
import io.reprise.execution.Part;
import io.reprise.execution.Partition;
import io.reprise.execution.Scope;
import io.reprise.execution.Work;
import io.reprise.execution.deploy.Arguments;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import io.reprise.sql.compile.StatementFactory;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.sql.compile.runtime.HeapRows;
import io.reprise.sql.compile.runtime.RowBuffer;
import io.reprise.sql.compile.runtime.RowShape;
import io.reprise.sql.plan.StatementTraits;
import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.List;

/**
 * A procedure that is one statement, or an ad hoc statement. Returns the rows; for a write, the count.
 *
 * <p>In several partitions it splits: each participant runs the plan's fragment, the last one runs the merge plan over
 * what all found. Only where the bucket can't be told from the arguments without running an expression does it borrow all
 * partitions and find the right one then.
 */
public final class StatementWork extends Work {
    /** One, as it is shared with other engines: the list stays in memory as long as the work. */
    private final List<StatementFactory> factories;

    private final StatementFactory factory;
    private final StatementTraits traits;
    private final StatementRouting routing;
    private CompiledStatement[] statements;
    private LentStatement[] lentStatements;
    private final Rotation rotation = new Rotation();

    StatementWork(String name, List<StatementFactory> factories) {
        super(name);
        this.factories = factories;
        factory = factories.getFirst();
        traits = factory.traits();
        routing = StatementRouting.of(traits);
    }

    @Override
    public List<StatementFactory> statements() {
        return factories;
    }

    @Override
    public Scope scope() {
        return switch (routing) {
            case ONE_BUCKET -> Scope.KEY;
            case ANYWHERE -> Scope.PARTITION;
            case UNKNOWN_BUCKET, EVERYWHERE -> Scope.MULTI;
        };
    }

    @Override
    public boolean readOnly() {
        return !traits.writes();
    }

    @Override
    public boolean splits() {
        return routing == StatementRouting.EVERYWHERE;
    }

    @Override
    public void checkArguments(Execution execution) {
        checkCount(execution.request().arguments().count());
    }

    @Override
    public void checkCount(int given) {
        int wanted = traits.parameters().size();
        if (given != wanted) {
            throw new ProcedureException(
                    ErrorCode.INVALID_REQUEST,
                    "the statement has " + wanted + (wanted == 1 ? " parameter" : " parameters") + " "
                            + traits.parameters() + ", but " + given + (given == 1 ? " value was" : " values were")
                            + " given: " + traits.sql());
        }
    }

    @Override
    public void route(Execution execution, BucketMap buckets) {
        execution.routeBy(buckets);
        switch (routing) {
            case ONE_BUCKET -> {
                int bucket = StatementRouting.bucket(
                        buckets.buckets(), traits, execution.request().arguments());
                execution.confineTo(bucket, buckets.partition(bucket));
            }
            case ANYWHERE -> rotation.route(execution, buckets);
            case UNKNOWN_BUCKET, EVERYWHERE -> Routing.addAll(execution, buckets);
        }
    }

    /** Adds the participants that a transaction needs for this statement; none if it can run anywhere. */
    void addParticipants(Execution execution, BucketMap buckets, Arguments arguments) {
        switch (routing) {
            case ONE_BUCKET -> {
                int bucket = StatementRouting.bucket(buckets.buckets(), traits, arguments);
                if (execution.participantCount() == 0) {
                    execution.runAt(buckets.partition(bucket), bucket);
                }
                execution.addParticipant(buckets.partition(bucket));
            }
            case ANYWHERE -> {}
            case UNKNOWN_BUCKET, EVERYWHERE -> Routing.addAll(execution, buckets);
        }
    }

    /** The partition that it needs for these arguments, or the first one if it needs several. */
    public int partitionOf(BucketMap buckets, Arguments arguments) {
        return routing == StatementRouting.ONE_BUCKET
                ? buckets.partition(StatementRouting.bucket(buckets.buckets(), traits, arguments))
                : 0;
    }

    /** Routes an execution that this statement lets run anywhere. */
    void routeAnywhere(Execution execution, BucketMap buckets) {
        rotation.route(execution, buckets);
    }

    /** Runs it in a transaction of one partition. Returns the rows; for a write a row with the count. */
    RowBuffer runIn(Partition partition, Arguments arguments) {
        CompiledStatement statement = statements[partition.slot()];
        setParameters(statement, arguments);
        statement.execute();
        if (traits.merges()) {
            statement.merge(List.of(statement.found()));
        }
        statement.found().rewind();
        return statement.found();
    }

    /** The statement over the partitions that were lent to this one; only for the thread that runs it. */
    Statement lentAt(Partition at) {
        LentStatement statement = lentStatements[at.slot()];
        if (statement == null) {
            statement = new LentStatement(at, 0, traits, statements);
            lentStatements[at.slot()] = statement;
        }
        return statement;
    }

    /** Its facts. */
    public StatementTraits traits() {
        return traits;
    }

    @Override
    public void bind(List<Partition> partitions) {
        statements = new CompiledStatement[partitions.size()];
        for (int i = 0; i < statements.length; i++) {
            statements[i] = factory.create(partitions.get(i).store());
            statements[i].becomeTransaction();
        }
        lentStatements = new LentStatement[statements.length];
    }

    @Override
    public void run(Partition partition, Execution execution) {
        CompiledStatement statement = statements[partition.slot()];
        setParameters(statement, execution.request().arguments());
        statement.execute();
        if (traits.merges()) {
            statement.merge(List.of(statement.found()));
        }
        give(statement.found(), execution);
    }

    @Override
    public void runLent(Partition at, Execution execution) {
        Statement statement = lentAt(at);
        setParameters(statement, execution.request().arguments());
        if (!traits.returnsRows()) {
            execution.outcome().result().integer(statement.update());
        } else {
            execution.outcome().result().rows(statement.query());
        }
    }

    @Override
    public void runPart(Partition partition, Execution execution, Part part) {
        CompiledStatement statement = statements[partition.slot()];
        setParameters(statement, execution.request().arguments());
        statement.execute();
        part.rows().copyOf(statement.found());
    }

    @Override
    public RowShape shapeOfPart(Partition at) {
        return statements[at.slot()].fragmentShape();
    }

    @Override
    public void merge(Partition at, Execution execution) {
        if (!traits.merges()) {
            give(execution.part(0).rows(), execution);
            return;
        }
        CompiledStatement statement = statements[at.slot()];
        setParameters(statement, execution.request().arguments());
        statement.merge(new Parts(execution));
        give(statement.found(), execution);
    }

    private void give(RowBuffer rows, Execution execution) {
        rows.rewind();
        if (!traits.returnsRows()) {
            rows.next();
            execution.outcome().result().integer(rows.longAt(0));
        } else {
            execution.outcome().result().rows(rows);
        }
    }

    static void setParameters(Statement statement, Arguments arguments) {
        for (int i = 0; i < arguments.count(); i++) {
            switch (arguments.kind(i)) {
                case NULL -> statement.setNull(i);
                case INTEGER -> statement.set(i, arguments.word(i));
                case DOUBLE -> statement.set(i, arguments.doubleAt(i));
                case BOOLEAN -> statement.set(i, arguments.word(i) != 0);
                case REFERENCE -> ParameterBuffer.setObject(statement, i, arguments.reference(i));
            }
        }
    }

    @Override
    public void runOver(Partition home, Execution execution, Elsewhere elsewhere) {
        Statement statement = overAt(home, 0, execution, elsewhere);
        setParameters(statement, execution.request().arguments());
        if (traits.writes()) {
            execution.outcome().result().integer(statement.update());
        } else {
            execution.outcome().result().rows(statement.query());
        }
    }

    /** The statement as one of several of a work over nodes. */
    Statement overAt(Partition home, int number, Execution execution, Elsewhere elsewhere) {
        OverStatement statement = new OverStatement(home, number, traits, statements[home.slot()]);
        statement.begin(execution, elsewhere, null);
        return statement;
    }

    @Override
    public CompiledStatement statementAt(Partition partition, int number) {
        return statements[partition.slot()];
    }

    @Override
    public void decodeParameters(ByteBuffer in, CompiledStatement statement) {
        ParameterBuffer.decode(in, statement);
    }

    @Override
    public boolean canReplace(Work other) {
        return other instanceof StatementWork before
                && traits.parameters().equals(before.traits.parameters())
                && routing == before.routing
                && (routing != StatementRouting.ONE_BUCKET || traits.reach().equals(before.traits.reach()));
    }

    /** The rows of all participants, in the order of the partitions. */
    private static final class Parts extends AbstractList<Rows> {
        private final Execution execution;

        Parts(Execution execution) {
            this.execution = execution;
        }

        @Override
        public HeapRows get(int index) {
            return execution.part(index).rows();
        }

        @Override
        public int size() {
            return execution.participantCount();
        }
    }
}
