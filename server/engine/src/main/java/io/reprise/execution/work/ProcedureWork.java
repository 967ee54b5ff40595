package io.reprise.execution.work;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Elsewhere;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.execution.Scope;
import io.reprise.execution.Work;
import io.reprise.execution.deploy.DeployedProcedure;
import io.reprise.execution.deploy.Invoker;
import io.reprise.execution.deploy.ProcedureLoader;
import io.reprise.execution.deploy.ProcedureSignature;
import io.reprise.procedure.Procedure;
import io.reprise.sql.compile.StatementFactory;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.sql.place.Reach;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * One version of a procedure class. Each partition has an instance bound to its own statements, which transactions with
 * a single participant run; a procedure that may have several has a second one, bound to whatever was lent.
 */
public final class ProcedureWork extends Work {
    private final ProcedureSignature signature;
    private final Invoker invoker;
    private final Routing routing;
    private final Scope scope;
    private final boolean readOnly;
    private final List<String> texts;
    private final List<StatementFactory> factories;
    private final DeployedProcedure deployed;
    private final boolean merges;
    private final boolean answers;
    private final Rotation rotation = new Rotation();

    private PartitionBinding[] bindings;
    private Procedure[] instances;
    private LookAhead[] lookAheads;
    private LentBinding[] lentBindings;
    private Procedure[] lentInstances;

    /** By slot, for transactions over nodes; made by each partition's thread when it needs one. */
    private OverBinding[] overBindings;

    private Procedure[] overInstances;

    ProcedureWork(
            DeployedProcedure deployed,
            Routing routing,
            Scope scope,
            List<String> texts,
            List<StatementFactory> factories) {
        super(deployed.name());
        this.deployed = deployed;
        signature = deployed.signature();
        invoker = deployed.invoker();
        this.routing = routing;
        this.scope = scope;
        this.texts = texts;
        this.factories = factories;
        readOnly = factories.stream().noneMatch(f -> f.traits().writes());
        merges = factories.stream().anyMatch(f -> f.traits().merges());
        answers = scope == Scope.MULTI
                && factories.stream().allMatch(f -> hasOnePlace(f.traits().reach()));
    }

    private static boolean hasOnePlace(Reach reach) {
        return reach instanceof Reach.Bucket || reach instanceof Reach.Any;
    }

    /** The procedure's parameters and result. */
    public ProcedureSignature signature() {
        return signature;
    }

    /** The name of its class. */
    public String className() {
        return deployed.className();
    }

    /** The parameter (from 0) by which clients can tell where a call is at home; -1 if none does. */
    public int homeParameter() {
        int parameter = routing.homeParameter();
        return parameter < 0 || signature.parameters().get(parameter).isArray() ? -1 : parameter;
    }

    /** The loader of its class. */
    public ProcedureLoader loader() {
        return deployed.loader();
    }

    /** The statements in the order of their declaration. */
    @Override
    public List<StatementFactory> statements() {
        return factories;
    }

    @Override
    public Scope scope() {
        return scope;
    }

    @Override
    public boolean readOnly() {
        return readOnly;
    }

    @Override
    public boolean hasAnswers() {
        return answers;
    }

    @Override
    public void checkCount(int arguments) {
        signature.checkCount(arguments);
    }

    @Override
    public void checkArguments(Execution execution) {
        signature.check(execution.request().arguments());
    }

    @Override
    public void route(Execution execution, BucketMap buckets) {
        if (scope == Scope.PARTITION) {
            execution.routeBy(buckets);
            rotation.route(execution, buckets);
            return;
        }
        routing.route(execution, buckets, scope == Scope.KEY);
    }

    @Override
    public void bind(List<Partition> partitions) {
        int count = partitions.size();
        bindings = new PartitionBinding[count];
        instances = new Procedure[count];
        lookAheads = new LookAhead[count];
        overBindings = new OverBinding[count];
        overInstances = new Procedure[count];
        for (int i = 0; i < count; i++) {
            bindings[i] = new PartitionBinding(partitions.get(i).store(), texts, factories);
            instances[i] = deployed.create(bindings[i]);
            lookAheads[i] = LookAhead.of(routing, factories, partitions.get(i).store());
        }
        if (scope == Scope.MULTI) {
            lentBindings = new LentBinding[count];
            lentInstances = new Procedure[count];
            for (int i = 0; i < count; i++) {
                lentBindings[i] = new LentBinding(partitions.get(i), texts, factories, bindings);
                lentInstances[i] = deployed.create(lentBindings[i]);
            }
        }
    }

    @Override
    public void lookAhead(Partition partition, Execution execution) {
        lookAheads[partition.slot()].announce(execution.request().arguments());
    }

    @Override
    public void run(Partition partition, Execution execution) {
        if (merges || execution.answers() != null) {
            partition.lent().takeOver(execution);
            runLent(partition, execution);
            return;
        }
        int at = partition.slot();
        bindings[at].begin(execution.id());
        invoker.invoke(
                instances[at],
                execution.request().arguments(),
                execution.outcome().result());
        partition.store().checkLimitsKept(partition.store().hasWrites());
    }

    @Override
    public void runLent(Partition at, Execution execution) {
        lentBindings[at.slot()].begin(execution.id());
        invoker.invoke(
                lentInstances[at.slot()],
                execution.request().arguments(),
                execution.outcome().result());
        if (execution.answers() != null) {
            execution.answers().requireAllTaken();
        }
        at.lent().checkLimitsKept();
    }

    @Override
    public void runOver(Partition home, Execution execution, Elsewhere elsewhere) {
        int slot = home.slot();
        if (overInstances[slot] == null) {
            overBindings[slot] = new OverBinding(home, texts, factories, bindings[slot]);
            overInstances[slot] = deployed.create(overBindings[slot]);
        }
        overBindings[slot].begin(execution, elsewhere, answers ? home.lent().beginAnswers() : null);
        invoker.invoke(
                overInstances[slot],
                execution.request().arguments(),
                execution.outcome().result());
        home.store().checkLimitsKept(!readOnly);
    }

    @Override
    public CompiledStatement statementAt(Partition partition, int number) {
        return bindings[partition.slot()].at(number);
    }

    @Override
    public void decodeParameters(ByteBuffer in, CompiledStatement statement) {
        ParameterBuffer.decode(in, statement);
    }

    @Override
    public boolean canReplace(Work other) {
        return other instanceof ProcedureWork before
                && signature.parameters().equals(before.signature.parameters())
                && routing.isLike(before.routing)
                && scope == before.scope;
    }
}
