package io.reprise.sql.compile.operator;

import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.physical.PlanNode;
import io.reprise.sql.physical.PlanNode.IndexLookup;
import io.reprise.sql.physical.PlanNode.Project;
import io.reprise.sql.physical.PlanNode.Update;
import io.reprise.storage.index.ReadAhead;
import io.reprise.storage.row.RowLayout;
import java.lang.classfile.Label;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.sql.SqlKind;

/**
 * The words of a row that a statement is going to read, for {@link ReadAhead}: those of the columns that it mentions. Of a
 * CASE that parameters decide, only those of the branch taken: it may choose one of many columns in a long row.
 */
public final class RowWords {
    private static final int WORDS_OF_A_LINE = 8;

    private final RowLayout layout;
    private final BitSet words = new BitSet();
    private final List<RexCall> choices = new ArrayList<>();

    /** The words that a plan over this lookup reads. */
    public RowWords(IndexLookup lookup, PlanNode plan) {
        layout = RowLayout.of(lookup.table());
        words.set(0);
        lookup.index().columns().forEach(this::add);
        lookup.filter().ifPresent(this::addAll);
        addAbove(lookup, plan);
    }

    /** Nodes above are understood as far as their fields are still the table's columns. */
    private void addAbove(IndexLookup lookup, PlanNode plan) {
        switch (plan) {
            case Project project
            when project.input() == lookup -> project.expressions().forEach(this::addAll);
            case Project project -> addAbove(lookup, project.input());
            case Update update -> {
                update.columns().forEach(this::add);
                if (update.input() == lookup) {
                    update.expressions().forEach(this::addAll);
                } else {
                    addAbove(lookup, update.input());
                }
            }
            default -> {}
        }
    }

    private void addAll(RexNode expression) {
        expression.accept(new RexVisitorImpl<Void>(true) {
            @Override
            public Void visitInputRef(RexInputRef column) {
                add(column.getIndex());
                return null;
            }

            @Override
            public Void visitCall(RexCall call) {
                if (isChoice(call)) {
                    choices.add(call);
                    return null;
                }
                return super.visitCall(call);
            }
        });
    }

    /** Whether a call is a CASE between columns that parameters decide, by comparisons that cannot fail. */
    private static boolean isChoice(RexCall call) {
        if (call.getKind() != SqlKind.CASE) {
            return false;
        }
        List<RexNode> operands = call.getOperands();
        for (int i = 0; i < operands.size(); i++) {
            boolean isCondition = i % 2 == 0 && i + 1 < operands.size();
            if (isCondition ? !isComparisonOfParameters(operands.get(i)) : !(operands.get(i) instanceof RexInputRef)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isComparisonOfParameters(RexNode condition) {
        return condition instanceof RexCall call
                && call.getKind() == SqlKind.EQUALS
                && call.getOperands().stream().allMatch(o -> o instanceof RexDynamicParam || o instanceof RexLiteral);
    }

    private void add(int column) {
        addTo(words, column);
    }

    private void addTo(BitSet set, int column) {
        int first = layout.offset(column);
        int last = first + layout.width(column) - 1;
        for (int word = first / Long.BYTES; word <= last / Long.BYTES; word++) {
            set.set(word);
        }
    }

    /** Emits the words into a local, a bit for each. */
    public int emit(Operators operators) {
        Code code = operators.code();
        int mask = code.newLong();
        code.setLong(mask, mask(words));
        for (RexCall choice : choices) {
            emit(operators, choice, mask);
        }
        return mask;
    }

    private void emit(Operators operators, RexCall choice, int mask) {
        Code code = operators.code();
        List<RexNode> operands = choice.getOperands();
        Label end = code.newLabel();
        for (int i = 0; i + 1 < operands.size(); i += 2) {
            RexNode when = operands.get(i);
            RexNode then = operands.get(i + 1);
            Label next = code.newLabel();
            code.conditionally(() -> {
                operators.expressions().conditions().jumpUnlessTrue(when, operators.rootScope(), next);
                emitColumn(code, then, mask);
            });
            code.jump(end);
            code.bind(next);
        }
        emitColumn(code, operands.getLast(), mask);
        code.bind(end);
    }

    private void emitColumn(Code code, RexNode column, int mask) {
        BitSet set = new BitSet();
        addTo(set, ((RexInputRef) column).getIndex());
        code.loadLong(mask);
        code.push(mask(set));
        code.raw().lor();
        code.storeLong(mask);
    }

    /**
     * The fewest words whose cache lines are those of all words in the set, wherever in a line the row begins: from the
     * first on, the last of the set that is no more than a line further. Not more than can be asked for, the foremost.
     */
    public static long mask(BitSet set) {
        long mask = 0;
        int count = 0;
        for (int word = set.nextSetBit(0); word >= 0 && word < Long.SIZE && count < ReadAhead.MOST_WORDS; count++) {
            mask |= 1L << word;
            int furthest = set.previousSetBit(word + WORDS_OF_A_LINE);
            word = furthest > word ? furthest : set.nextSetBit(word + 1);
        }
        return mask;
    }
}
