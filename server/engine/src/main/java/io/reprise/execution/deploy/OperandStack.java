package io.reprise.execution.deploy;

import io.reprise.execution.deploy.ValueScanner.Known;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.List;

/**
 * The JVM's operand stack with the known facts about the value in each slot, or null. Slots below the bottom count as
 * unknown too, so a stack that was lost track of is no error.
 */
final class OperandStack {
    private final List<Known> slots = new ArrayList<>();

    OperandStack copy() {
        OperandStack copy = new OperandStack();
        copy.slots.addAll(slots);
        return copy;
    }

    void push(TypeKind type, Known value) {
        for (int i = 0; i < type.slotSize(); i++) {
            slots.add(value);
        }
    }

    Known pop(TypeKind type) {
        Known value = null;
        for (int i = 0; i < type.slotSize(); i++) {
            value = popSlot();
        }
        return value;
    }

    private Known popSlot() {
        return slots.isEmpty() ? null : slots.removeLast();
    }

    /** The effect of an instruction that neither branches nor touches fields, variables or array elements. */
    void apply(CodeElement element) {
        switch (element) {
            case ConstantInstruction constant -> push(constant.typeKind(), null);
            case ConvertInstruction convert -> {
                pop(convert.fromType());
                push(convert.toType(), null);
            }
            case OperatorInstruction operator -> operate(operator.opcode());
            case StackInstruction instruction -> shuffle(instruction.opcode());
            case NewObjectInstruction created ->
                push(TypeKind.REFERENCE, new Known(null, created.className().asSymbol()));
            case NewPrimitiveArrayInstruction created -> {
                popSlot();
                ClassDesc component = created.typeKind().upperBound();
                push(TypeKind.REFERENCE, new Known(null, component.arrayType()));
            }
            case NewReferenceArrayInstruction created -> {
                popSlot();
                push(
                        TypeKind.REFERENCE,
                        new Known(null, created.componentType().asSymbol().arrayType()));
            }
            case NewMultiArrayInstruction created -> {
                for (int i = 0; i < created.dimensions(); i++) {
                    popSlot();
                }
                push(TypeKind.REFERENCE, new Known(null, created.arrayType().asSymbol()));
            }
            case MonitorInstruction _ -> popSlot();
            case TypeCheckInstruction check
            when check.opcode() == Opcode.INSTANCEOF -> {
                popSlot();
                push(TypeKind.INT, null);
            }
            case TypeCheckInstruction cast -> {
                Known value = popSlot();
                push(
                        TypeKind.REFERENCE,
                        new Known(
                                value == null ? null : value.staticField(),
                                cast.type().asSymbol()));
            }
            case InvokeDynamicInstruction dynamic -> {
                dynamic.typeSymbol().parameterList().reversed().forEach(p -> pop(TypeKind.from(p)));
                ClassDesc made = dynamic.typeSymbol().returnType();
                push(TypeKind.from(made), new Known(null, made));
            }
            default -> {
                // Increments and the like leave the stack as it is.
            }
        }
    }

    private void operate(Opcode opcode) {
        switch (opcode) {
            case INEG, LNEG, FNEG, DNEG -> {
                // One operand in, one result of the same size out.
            }
            case ARRAYLENGTH -> {
                popSlot();
                push(TypeKind.INT, null);
            }
            case LCMP, DCMPL, DCMPG -> drop(3);
            case LADD, LSUB, LMUL, LDIV, LREM, LAND, LOR, LXOR, DADD, DSUB, DMUL, DDIV, DREM -> drop(2);
            default -> drop(1);
        }
    }

    private void drop(int count) {
        for (int i = 0; i < count; i++) {
            popSlot();
        }
    }

    private void shuffle(Opcode opcode) {
        switch (opcode) {
            case POP -> drop(1);
            case POP2 -> drop(2);
            case DUP -> duplicate(1, 0);
            case DUP_X1 -> duplicate(1, 1);
            case DUP_X2 -> duplicate(1, 2);
            case DUP2 -> duplicate(2, 0);
            case DUP2_X1 -> duplicate(2, 1);
            case DUP2_X2 -> duplicate(2, 2);
            default -> {
                Known top = popSlot();
                Known below = popSlot();
                slots.add(top);
                slots.add(below);
            }
        }
    }

    /** Copies the topmost slots to below as many others. */
    private void duplicate(int count, int others) {
        while (slots.size() < count + others) {
            slots.addFirst(null);
        }
        int top = slots.size() - count;
        slots.addAll(top - others, new ArrayList<>(slots.subList(top, slots.size())));
    }
}
