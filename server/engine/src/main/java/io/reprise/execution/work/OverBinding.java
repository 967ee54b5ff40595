package io.reprise.execution.work;

import io.reprise.execution.Answers;
import io.reprise.execution.Elsewhere;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.procedure.Statement;
import io.reprise.runtime.memory.WorkMemory;
import io.reprise.sql.compile.StatementFactory;
import java.util.ArrayList;
import java.util.List;

/** Binds a procedure instance to its home partition and to participants at other leaders. Owned by the home's thread. */
final class OverBinding extends TransactionBinding {
    private final Partition home;
    private final List<String> texts;
    private final OverStatement[] statements;
    private final List<int[]> savepoints = new ArrayList<>();
    private Elsewhere elsewhere;
    private int declared;

    OverBinding(Partition home, List<String> texts, List<StatementFactory> factories, PartitionBinding own) {
        this.home = home;
        this.texts = texts;
        statements = new OverStatement[factories.size()];
        for (int i = 0; i < statements.length; i++) {
            statements[i] = new OverStatement(home, i, factories.get(i).traits(), own.at(i));
        }
    }

    /**
     * Begins a run of a procedure.
     *
     * @param answers keep the results from other participants; null if they are not kept
     */
    void begin(Execution execution, Elsewhere others, Answers answers) {
        begin(execution.id());
        elsewhere = others;
        savepoints.clear();
        for (OverStatement statement : statements) {
            statement.begin(execution, others, answers);
        }
    }

    @Override
    WorkMemory workMemory() {
        return home.store().workMemory();
    }

    @Override
    protected Statement statement(String text) {
        DeclaredTexts.check(texts, declared, text);
        return statements[declared++];
    }

    @Override
    protected int savepoint() {
        savepoints.add(new int[] {home.store().savepoint(), elsewhere.savepoint()});
        return savepoints.size() - 1;
    }

    @Override
    protected void rollbackTo(int savepoint) {
        if (savepoint < 0 || savepoint >= savepoints.size()) {
            throw new IllegalArgumentException(
                    "no savepoint " + savepoint + " in this transaction, which has " + savepoints.size());
        }
        home.store().rollbackTo(savepoints.get(savepoint)[0]);
        elsewhere.rollbackTo(savepoints.get(savepoint)[1]);
        while (savepoints.size() > savepoint + 1) {
            savepoints.removeLast();
        }
    }
}
