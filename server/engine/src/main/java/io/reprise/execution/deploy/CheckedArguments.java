package io.reprise.execution.deploy;

import io.reprise.procedure.BoundedDecimals;
import io.reprise.procedure.BoundedIntegers;
import io.reprise.procedure.BoundedTexts;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;

/**
 * Constructors of the JDK that take long, or need much memory, because of one argument: before each of them, this argument
 * is passed through a method that refuses it or gives it back. It is the last argument or the one before. Both are a single
 * slot of the operand stack, below which the unfinished object stays where it is.
 */
final class LongConstructors {
    private static final ClassDesc INTEGERS = type(BoundedIntegers.class);
    private static final ClassDesc DECIMALS = type(BoundedDecimals.class);
    private static final ClassDesc TEXTS = type(BoundedTexts.class);
    private static final ClassDesc BYTES = ConstantDescs.CD_byte.arrayType();
    private static final ClassDesc CHARS = ConstantDescs.CD_char.arrayType();

    /** A check of an argument, which is the last one or has another behind it. */
    private record Check(ClassDesc home, String name, ClassDesc argument, boolean last) {
        void emit(CodeBuilder builder) {
            MethodTypeDesc type = MethodTypeDesc.of(argument, argument);
            if (last) {
                builder.invokestatic(home, name, type);
            } else {
                builder.swap().invokestatic(home, name, type).swap();
            }
        }
    }

    /** By class and descriptor. */
    private static final Map<String, Check> CHECKS = Map.ofEntries(
            Map.entry(
                    "java.math.BigInteger(Ljava/lang/String;)V",
                    new Check(DECIMALS, "text", ConstantDescs.CD_String, true)),
            Map.entry(
                    "java.math.BigInteger(Ljava/lang/String;I)V",
                    new Check(DECIMALS, "text", ConstantDescs.CD_String, false)),
            Map.entry("java.math.BigInteger([B)V", new Check(INTEGERS, "bytes", BYTES, true)),
            Map.entry("java.math.BigInteger(I[B)V", new Check(INTEGERS, "bytes", BYTES, true)),
            Map.entry("java.math.BigInteger([BII)V", new Check(INTEGERS, "bytes", ConstantDescs.CD_int, true)),
            Map.entry("java.math.BigInteger(I[BII)V", new Check(INTEGERS, "bytes", ConstantDescs.CD_int, true)),
            Map.entry(
                    "java.math.BigDecimal(Ljava/lang/String;)V",
                    new Check(DECIMALS, "text", ConstantDescs.CD_String, true)),
            Map.entry(
                    "java.math.BigDecimal(Ljava/lang/String;Ljava/math/MathContext;)V",
                    new Check(DECIMALS, "text", ConstantDescs.CD_String, false)),
            Map.entry("java.math.BigDecimal([C)V", new Check(DECIMALS, "text", CHARS, true)),
            Map.entry("java.math.BigDecimal([CLjava/math/MathContext;)V", new Check(DECIMALS, "text", CHARS, false)),
            Map.entry("java.math.BigDecimal([CII)V", new Check(DECIMALS, "text", ConstantDescs.CD_int, true)),
            Map.entry(
                    "java.math.BigDecimal([CIILjava/math/MathContext;)V",
                    new Check(DECIMALS, "text", ConstantDescs.CD_int, false)),
            Map.entry("java.lang.StringBuilder(I)V", new Check(TEXTS, "capacity", ConstantDescs.CD_int, true)),
            Map.entry("java.lang.StringBuffer(I)V", new Check(TEXTS, "capacity", ConstantDescs.CD_int, true)));

    /** References to constructors, which stand-ins with the same parameters replace. */
    private static final Map<String, String> REFERENCES = Map.of(
            "java.math.BigInteger(Ljava/lang/String;)V", "integer",
            "java.math.BigDecimal(Ljava/lang/String;)V", "decimal");

    private LongConstructors() {}

    /** Emits the check of a constructor's argument, if it has one; the call itself stays. */
    static void check(CodeBuilder builder, InvokeInstruction call) {
        if (call.opcode() == Opcode.INVOKESPECIAL && call.name().equalsString("<init>")) {
            Check check = CHECKS.get(MethodScanner.binaryName(call.owner().asSymbol())
                    + call.typeSymbol().descriptorString());
            if (check != null) {
                check.emit(builder);
            }
        }
    }

    /** The method that stands in for a reference to a constructor. */
    static Optional<DirectMethodHandleDesc> standIn(DirectMethodHandleDesc constructor) {
        ClassDesc made = constructor.owner();
        String name = REFERENCES.get(MethodScanner.binaryName(made) + constructor.lookupDescriptor());
        return Optional.ofNullable(name)
                .map(of -> MethodHandleDesc.ofMethod(
                        DirectMethodHandleDesc.Kind.STATIC,
                        made.equals(type(BigInteger.class)) ? INTEGERS : DECIMALS,
                        of,
                        MethodTypeDesc.ofDescriptor(constructor.lookupDescriptor())
                                .changeReturnType(made)));
    }

    private static ClassDesc type(Class<?> of) {
        return of.describeConstable().orElseThrow();
    }
}
