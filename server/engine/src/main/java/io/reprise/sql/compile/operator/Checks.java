package io.reprise.sql.compile.operator;

import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.TableRow;
import io.reprise.sql.compile.expression.Scope;
import io.reprise.sql.compile.runtime.Errors;
import io.reprise.sql.physical.PlanNode;
import java.lang.classfile.Label;

/** CHECK constraints, computed of the row that has been written. A violation is an error, which undoes the statement. */
public final class Checks {
    private Checks() {}

    /** The use of a written row, with the table's checks in front of it. */
    public static WriteEmitter.Written before(Operators operators, PlanNode.Write write, WriteEmitter.Written use) {
        if (write.checks().isEmpty()) {
            return use;
        }
        return (address, number) -> {
            Code code = operators.code();
            code.conditionally(() -> {
                Scope scope = operators.rootScope().withInput(new TableRow(code, write.table(), address, null, false));
                for (PlanNode.RowCheck check : write.checks()) {
                    emit(operators, write, check, scope);
                }
            });
            use.emit(address, number);
        };
    }

    private static void emit(Operators operators, PlanNode.Write write, PlanNode.RowCheck check, Scope scope) {
        Code code = operators.code();
        Label violated = code.newLabel();
        Label passed = code.newLabel();
        code.conditionally(() -> {
            operators.expressions().conditions().jumpUnlessTrue(check.condition(), scope, violated);
            code.jump(passed);
        });
        code.bind(violated);
        code.push("a row of " + write.table().name() + " violates CHECK " + check.name() + ": " + check.text());
        code.call(Errors.class, "check");
        code.raw().athrow();
        code.bind(passed);
    }
}
