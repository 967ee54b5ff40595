package io.reprise.execution.deploy;

import io.reprise.procedure.Statement;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;

/**
 * Replaces {@link Statement#update} by {@link Statement#run} in one method's code wherever the count is dropped at once, so that the
 * write needs no round trip of its own over the nodes of a cluster.
 */
final class UnreadWrites {
    private static final ClassDesc STATEMENT =
            Statement.class.describeConstable().orElseThrow();

    /** A call whose count may be dropped by the next instruction, or null. */
    private InvokeInstruction held;

    /** Takes the method's next element. Returns whether nothing is left to write for it. */
    boolean take(CodeBuilder builder, CodeElement element) {
        if (held != null) {
            InvokeInstruction call = held;
            held = null;
            if (element instanceof StackInstruction stack && stack.opcode() == Opcode.POP2) {
                builder.invokevirtual(STATEMENT, "run", ConstantDescs.MTD_void);
                return true;
            }
            builder.with(call);
        }
        if (element instanceof InvokeInstruction call && isUpdate(call)) {
            held = call;
            return true;
        }
        return false;
    }

    private static boolean isUpdate(InvokeInstruction call) {
        return call.opcode() == Opcode.INVOKEVIRTUAL
                && call.owner().asSymbol().equals(STATEMENT)
                && call.name().equalsString("update")
                && call.typeSymbol().descriptorString().equals("()J");
    }
}
