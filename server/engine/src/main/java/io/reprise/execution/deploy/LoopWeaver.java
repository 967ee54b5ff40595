package io.reprise.execution.deploy;

import io.reprise.procedure.LoopGuard;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.attribute.StackMapTableAttribute;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes a procedure's code answer to {@link LoopGuard}, so that nothing in it can run for ever: a check stands before
 * each backward branch, at the start of each method from which a recursion may go on (it calls a procedure's own method)
 * or that the JDK may call in a loop of its own (a lambda, what a reference names, what overrides a method of the JDK's), and in each exception handler, which would otherwise swallow the
 * time limit. Calls that run for long within the JDK are replaced ({@link EndlessCalls}), and arguments of
 * constructors, and lengths of arrays, are checked ({@link CheckedArguments}).
 * A method that may come to call itself, or that calls the engine when any amount of stack may be in use ({@link
 * CallGraph}), also makes sure of some stack at its start, so that an endless recursion ends there and not in the middle of
 * the engine. {@link UnreadWrites} replaces writes whose counts are dropped.
 *
 * <p>No branch is added and no local variable, so lines, variables and stack frames stay what they were. The frames are
 * taken over rather than computed again, which would need every class that the code names, even those it never uses.
 */
final class LoopWeaver {
    private static final ClassDesc GUARD = LoopGuard.class.describeConstable().orElseThrow();
    private static final MethodTypeDesc CHECK = ConstantDescs.MTD_void;
    private static final MethodTypeDesc CAUGHT = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Throwable);

    private final ProcedureClasses classes;
    private final CallGraph calls;
    private final ClassFile classFile = ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS);

    LoopWeaver(ProcedureClasses classes) {
        this.classes = classes;
        this.calls = new CallGraph(classes);
    }

    /** Takes in classes that call each other, before any of them is woven. */
    void know(Collection<String> classNames) {
        calls.know(classNames);
    }

    /** The class file of the class, woven. */
    byte[] weave(ClassModel model) {
        ClassTransform transform = (builder, element) -> {
            if (element instanceof MethodModel method && method.code().isPresent()) {
                CodeModel code = method.code().get();
                builder.transformMethod(method, MethodTransform.transformingCode(weaver(model, method, code)));
            } else {
                builder.with(element);
            }
        };
        return classFile.transformClass(model, transform);
    }

    private CodeTransform weaver(ClassModel model, MethodModel method, CodeModel code) {
        Set<Label> handlers = handlers(code);
        boolean descends = calls.needsStack(model, method);
        boolean checkAtEntry = descends || calls.mayBeCalledBack(model, method) || needsCheckAtEntry(method, code);
        String entry = descends ? "descend" : "check";
        Set<Label> passed = new HashSet<>();
        UnreadWrites writes = new UnreadWrites();
        return new CodeTransform() {
            @Override
            public void atStart(CodeBuilder builder) {
                if (checkAtEntry) {
                    // An error thrown by the check names the method's first line.
                    code.elementStream()
                            .filter(LineNumber.class::isInstance)
                            .findFirst()
                            .ifPresent(builder::with);
                    builder.invokestatic(GUARD, entry, CHECK);
                }
            }

            @Override
            public void atEnd(CodeBuilder builder) {
                ((CodeAttribute) code)
                        .findAttribute(Attributes.stackMapTable())
                        .ifPresent(frames -> builder.with(StackMapTableAttribute.of(frames.entries())));
            }

            @Override
            public void accept(CodeBuilder builder, CodeElement element) {
                if (writes.take(builder, element)) {
                    return;
                }
                if (targets(element).stream().anyMatch(passed::contains)) {
                    builder.invokestatic(GUARD, "check", CHECK);
                }
                check(builder, element);
                if (!replaced(builder, element)) {
                    builder.with(element);
                }
                if (element instanceof LabelTarget target) {
                    passed.add(target.label());
                    if (handlers.contains(target.label())) {
                        builder.dup();
                        builder.invokestatic(GUARD, "caught", CAUGHT);
                    }
                }
            }
        };
    }

    private boolean replaced(CodeBuilder builder, CodeElement element) {
        return switch (element) {
            case InvokeInstruction call -> EndlessCalls.replace(builder, call, classes);
            case InvokeDynamicInstruction dynamic -> EndlessCalls.replace(builder, dynamic, classes);
            case NewMultiArrayInstruction array -> {
                CheckedArguments.make(builder, array);
                yield true;
            }
            default -> false;
        };
    }

    private static void check(CodeBuilder builder, CodeElement element) {
        switch (element) {
            case InvokeInstruction call -> CheckedArguments.check(builder, call);
            case NewPrimitiveArrayInstruction _, NewReferenceArrayInstruction _ ->
                CheckedArguments.checkLength(builder);
            default -> {
                // Nothing else takes long, or much memory, at once.
            }
        }
    }

    private static List<Label> targets(CodeElement element) {
        return switch (element) {
            case BranchInstruction branch -> List.of(branch.target());
            case TableSwitchInstruction table -> targets(table.defaultTarget(), table.cases());
            case LookupSwitchInstruction lookup -> targets(lookup.defaultTarget(), lookup.cases());
            default -> List.of();
        };
    }

    private static List<Label> targets(Label defaultTarget, List<SwitchCase> cases) {
        Set<Label> targets = new HashSet<>();
        targets.add(defaultTarget);
        cases.forEach(c -> targets.add(c.target()));
        return List.copyOf(targets);
    }

    /** The handlers, without those that protect themselves: they would catch what the check throws, for ever. */
    private static Set<Label> handlers(CodeModel code) {
        Set<Label> handlers = new HashSet<>();
        Set<Label> selfProtecting = new HashSet<>();
        CodeAttribute attribute = (CodeAttribute) code;
        for (ExceptionCatch handler : code.exceptionHandlers()) {
            int at = attribute.labelToBci(handler.handler());
            handlers.add(handler.handler());
            if (at >= attribute.labelToBci(handler.tryStart()) && at < attribute.labelToBci(handler.tryEnd())) {
                selfProtecting.add(handler.handler());
            }
        }
        handlers.removeAll(selfProtecting);
        return handlers;
    }

    private boolean needsCheckAtEntry(MethodModel method, CodeModel code) {
        if (method.flags().has(AccessFlag.SYNTHETIC)) {
            return true;
        }
        for (CodeElement element : code) {
            if (element instanceof InvokeInstruction call
                    && !call.owner().asSymbol().isArray()
                    && classes.model(binaryName(call.owner().asSymbol())).isPresent()) {
                return true;
            }
        }
        return false;
    }

    private static String binaryName(ClassDesc type) {
        String descriptor = type.descriptorString();
        return descriptor.substring(1, descriptor.length() - 1).replace('/', '.');
    }
}
