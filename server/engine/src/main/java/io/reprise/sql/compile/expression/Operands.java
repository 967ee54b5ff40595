package io.reprise.sql.compile.expression;

import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Value;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexNode;

/** Emits the operands of a call, for the emitters of calls. */
public interface Operands {
    /** Emits the code that computes an expression. */
    Value emit(RexNode expression, Scope scope);

    /** Emits conditions in another method. */
    Conditions conditionsIn(Code callee);

    /** Emits several expressions, one after the other. */
    default List<Value> emitAll(List<RexNode> list, Scope scope) {
        List<Value> values = new ArrayList<>();
        for (RexNode expression : list) {
            values.add(emit(expression, scope));
        }
        return values;
    }
}
