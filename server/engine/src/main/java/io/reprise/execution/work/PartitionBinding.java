package io.reprise.execution.work;

import io.reprise.procedure.Statement;
import io.reprise.runtime.memory.WorkMemory;
import io.reprise.sql.compile.StatementFactory;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.storage.PartitionStore;
import java.util.List;

/** Binds a procedure instance to one partition: its statements are the compiled ones themselves. */
final class PartitionBinding extends TransactionBinding {
    private final PartitionStore store;
    private final List<String> texts;
    private final CompiledStatement[] statements;
    private int declared;

    PartitionBinding(PartitionStore store, List<String> texts, List<StatementFactory> factories) {
        this.store = store;
        this.texts = texts;
        statements = new CompiledStatement[factories.size()];
        for (int i = 0; i < statements.length; i++) {
            statements[i] = factories.get(i).create(store);
        }
    }

    /** The statement at a position. */
    CompiledStatement at(int position) {
        return statements[position];
    }

    /** The statement at one position in all partitions. */
    static CompiledStatement[] column(PartitionBinding[] bindings, int position) {
        CompiledStatement[] statements = new CompiledStatement[bindings.length];
        for (int i = 0; i < bindings.length; i++) {
            statements[i] = bindings[i].statements[position];
        }
        return statements;
    }

    @Override
    WorkMemory workMemory() {
        return store.workMemory();
    }

    @Override
    protected Statement statement(String text) {
        DeclaredTexts.check(texts, declared, text);
        return statements[declared++];
    }

    @Override
    protected int savepoint() {
        return store.savepoint();
    }

    @Override
    protected void rollbackTo(int savepoint) {
        store.rollbackTo(savepoint);
    }
}
