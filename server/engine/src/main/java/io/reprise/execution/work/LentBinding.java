package io.reprise.execution.work;

import io.reprise.execution.Lent;
import io.reprise.execution.Partition;
import io.reprise.procedure.Statement;
import io.reprise.runtime.memory.WorkMemory;
import io.reprise.sql.compile.StatementFactory;
import java.util.List;

/** Binds a procedure instance to whatever partitions are lent to its home partition's thread. */
final class LentBinding extends TransactionBinding {
    private final Lent lent;
    private final WorkMemory work;
    private final List<String> texts;
    private final LentStatement[] statements;
    private int declared;

    /**
     * A binding at a partition.
     *
     * @param bindings the bindings to the single partitions, whose statements do the work
     */
    LentBinding(Partition home, List<String> texts, List<StatementFactory> factories, PartitionBinding[] bindings) {
        this.lent = home.lent();
        work = home.store().workMemory();
        this.texts = texts;
        statements = new LentStatement[factories.size()];
        for (int i = 0; i < statements.length; i++) {
            statements[i] = new LentStatement(home, i, factories.get(i).traits(), PartitionBinding.column(bindings, i));
        }
    }

    @Override
    WorkMemory workMemory() {
        return work;
    }

    @Override
    protected Statement statement(String text) {
        DeclaredTexts.check(texts, declared, text);
        return statements[declared++];
    }

    @Override
    protected int savepoint() {
        return lent.savepoint();
    }

    @Override
    protected void rollbackTo(int savepoint) {
        lent.rollbackTo(savepoint);
    }
}
