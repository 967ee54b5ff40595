package io.reprise.execution.deploy;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * Finds writes to what a static field refers to: it follows, within one method, which values on the operand stack and in
 * local variables were read from a static field. It goes over the code once, in order, so it knows a variable by its last
 * assignment in the text; that misses some writes, but accuses nobody who did not assign the static value to it.
 */
final class StaticWrites {
    private final DeterminismScanner scanner;
    private final String className;
    private final Consumer<String> findings;
    private final IntConsumer lines;
    private final Map<Integer, String> locals = new HashMap<>();
    private final Map<Label, OperandStack> stacks = new HashMap<>();
    private OperandStack stack = new OperandStack();

    StaticWrites(DeterminismScanner scanner, String className, Consumer<String> findings, IntConsumer lines) {
        this.scanner = scanner;
        this.className = className;
        this.findings = findings;
        this.lines = lines;
    }

    void scan(CodeModel code) {
        for (ExceptionCatch handler : code.exceptionHandlers()) {
            OperandStack thrown = new OperandStack();
            thrown.push(TypeKind.REFERENCE, null);
            stacks.put(handler.handler(), thrown);
        }
        code.forEach(this::step);
    }

    private void step(CodeElement element) {
        switch (element) {
            case LineNumber number -> lines.accept(number.line());
            case LabelTarget target -> stack = stacks.getOrDefault(target.label(), stack);
            case LoadInstruction load -> stack.push(load.typeKind(), locals.get(load.slot()));
            case StoreInstruction store -> locals.put(store.slot(), stack.pop(store.typeKind()));
            case ArrayLoadInstruction load -> {
                stack.pop(TypeKind.INT);
                String array = stack.pop(TypeKind.REFERENCE);
                stack.push(load.typeKind(), load.typeKind() == TypeKind.REFERENCE ? array : null);
            }
            case ArrayStoreInstruction store -> {
                stack.pop(store.typeKind());
                stack.pop(TypeKind.INT);
                changed(stack.pop(TypeKind.REFERENCE), "an element of the array");
            }
            case FieldInstruction field -> field(field);
            case InvokeInstruction call -> call(call);
            case BranchInstruction branch -> branch(branch);
            case TableSwitchInstruction table -> {
                stack.pop(TypeKind.INT);
                table.cases().forEach(c -> reaches(c.target()));
                reaches(table.defaultTarget());
                stack = new OperandStack();
            }
            case LookupSwitchInstruction lookup -> {
                stack.pop(TypeKind.INT);
                lookup.cases().forEach(c -> reaches(c.target()));
                reaches(lookup.defaultTarget());
                stack = new OperandStack();
            }
            case ReturnInstruction _ -> stack = new OperandStack();
            case ThrowInstruction _ -> stack = new OperandStack();
            default -> stack.apply(element);
        }
    }

    private void field(FieldInstruction field) {
        TypeKind type = TypeKind.from(field.typeSymbol());
        String owner = MethodScanner.binaryName(field.owner().asSymbol());
        switch (field.opcode()) {
            case GETSTATIC -> stack.push(type, owner + "." + field.name().stringValue());
            case PUTSTATIC -> stack.pop(type);
            case GETFIELD -> stack.push(type, stack.pop(TypeKind.REFERENCE));
            default -> {
                stack.pop(type);
                changed(stack.pop(TypeKind.REFERENCE), "the field " + field.name().stringValue() + " of the object");
            }
        }
    }

    private void call(InvokeInstruction call) {
        List<TypeKind> parameters =
                call.typeSymbol().parameterList().stream().map(TypeKind::from).toList();
        parameters.reversed().forEach(stack::pop);
        if (call.opcode() != Opcode.INVOKESTATIC) {
            String receiver = stack.pop(TypeKind.REFERENCE);
            String owner = MethodScanner.binaryName(call.owner().asSymbol());
            String foreign = scanner.isOwn(owner) ? scanner.foreignSuperclass(owner) : owner;
            if (StaticState.isMutator(foreign, call.name().stringValue())) {
                changed(receiver, "by " + call.name().stringValue() + " the object");
            }
        }
        stack.push(TypeKind.from(call.typeSymbol().returnType()), null);
    }

    private void branch(BranchInstruction branch) {
        switch (branch.opcode()) {
            case GOTO, GOTO_W -> {
                reaches(branch.target());
                stack = new OperandStack();
                return;
            }
            case IFEQ, IFNE, IFLT, IFGE, IFGT, IFLE, IFNULL, IFNONNULL -> stack.pop(TypeKind.INT);
            default -> {
                stack.pop(TypeKind.INT);
                stack.pop(TypeKind.INT);
            }
        }
        reaches(branch.target());
    }

    private void reaches(Label target) {
        stacks.putIfAbsent(target, stack.copy());
    }

    private void changed(String staticField, String what) {
        if (staticField != null) {
            findings.accept("changes " + what + " that the static field "
                    + (staticField.startsWith(className + ".")
                            ? staticField.substring(className.length() + 1)
                            : staticField)
                    + " refers to: all partitions' threads share it; make it a field of the instance");
        }
    }
}
