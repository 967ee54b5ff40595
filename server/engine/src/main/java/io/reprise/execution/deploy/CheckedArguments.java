package io.reprise.execution.deploy;

import io.reprise.procedure.BoundedArrays;
import io.reprise.procedure.BoundedDecimals;
import io.reprise.procedure.BoundedIntegers;
import io.reprise.procedure.BoundedTexts;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Constructors and methods of the JDK that take long, or need much memory, because of one argument: before each of them, this argument
 * is passed through a method that refuses it or gives it back. It is one of the last three arguments. Each of them is a single
 * slot of the operand stack, below which an unfinished object stays where it is.
 */
final class CheckedArguments {
    private static final ClassDesc INTEGERS = type(BoundedIntegers.class);
    private static final ClassDesc DECIMALS = type(BoundedDecimals.class);
    private static final ClassDesc TEXTS = type(BoundedTexts.class);
    private static final ClassDesc ARRAYS = type(BoundedArrays.class);
    private static final ClassDesc BYTES = ConstantDescs.CD_byte.arrayType();
    private static final ClassDesc CHARS = ConstantDescs.CD_char.arrayType();

    /** A check of an argument, which has up to two others behind it. */
    private record Check(ClassDesc home, String name, ClassDesc argument, int behind) {
        void emit(CodeBuilder builder) {
            MethodTypeDesc type = MethodTypeDesc.of(argument, argument);
            switch (behind) {
                case 0 -> builder.invokestatic(home, name, type);
                case 1 -> builder.swap().invokestatic(home, name, type).swap();
                default ->
                    builder.dup2_x1()
                            .pop2()
                            .invokestatic(home, name, type)
                            .dup_x2()
                            .pop();
            }
        }
    }

    /** Constructors and methods by class, name and descriptor. */
    private static final Map<String, Check> CHECKS = checks();

    /** References to constructors, which stand-ins with the same parameters replace. */
    private static final Map<String, String> REFERENCES = Map.of(
            "java.math.BigInteger(Ljava/lang/String;)V", "integer",
            "java.math.BigDecimal(Ljava/lang/String;)V", "decimal");

    private CheckedArguments() {}

    private static Map<String, Check> checks() {
        Map<String, Check> checks = new HashMap<>();
        putNumbersAndTexts(checks);
        putLengths(checks);
        putBits(checks);
        return Map.copyOf(checks);
    }

    private static void putNumbersAndTexts(Map<String, Check> checks) {
        Check text = new Check(DECIMALS, "text", ConstantDescs.CD_String, 0);
        Check textBefore = new Check(DECIMALS, "text", ConstantDescs.CD_String, 1);
        String integer = "java.math.BigInteger.<init>";
        checks.put(integer + "(Ljava/lang/String;)V", text);
        checks.put(integer + "(Ljava/lang/String;I)V", textBefore);
        for (String sign : List.of("", "I")) {
            checks.put(integer + "(" + sign + "[B)V", new Check(INTEGERS, "bytes", BYTES, 0));
            checks.put(integer + "(" + sign + "[BII)V", new Check(INTEGERS, "bytes", ConstantDescs.CD_int, 0));
        }
        String decimal = "java.math.BigDecimal.<init>";
        checks.put(decimal + "(Ljava/lang/String;)V", text);
        checks.put(decimal + "(Ljava/lang/String;Ljava/math/MathContext;)V", textBefore);
        checks.put(decimal + "([C)V", new Check(DECIMALS, "text", CHARS, 0));
        checks.put(decimal + "([CLjava/math/MathContext;)V", new Check(DECIMALS, "text", CHARS, 1));
        checks.put(decimal + "([CII)V", new Check(DECIMALS, "text", ConstantDescs.CD_int, 0));
        checks.put(decimal + "([CIILjava/math/MathContext;)V", new Check(DECIMALS, "text", ConstantDescs.CD_int, 1));
        for (String builder : List.of("StringBuilder", "StringBuffer")) {
            checks.put("java.lang." + builder + ".<init>(I)V", new Check(TEXTS, "capacity", ConstantDescs.CD_int, 0));
        }
    }

    private static void putLengths(Map<String, Check> checks) {
        Check length = new Check(ARRAYS, "length", ConstantDescs.CD_int, 0);
        Check lengthBefore = new Check(ARRAYS, "length", ConstantDescs.CD_int, 1);
        for (String list : List.of("ArrayList", "ArrayDeque", "PriorityQueue")) {
            checks.put("java.util." + list + ".<init>(I)V", length);
        }
        checks.put("java.util.PriorityQueue.<init>(ILjava/util/Comparator;)V", lengthBefore);
        checks.put("java.util.ArrayList.ensureCapacity(I)V", length);
        for (String hashed : List.of("LinkedHashMap", "LinkedHashSet")) {
            String name = "java.util." + hashed;
            checks.put(name + ".<init>(I)V", length);
            checks.put(name + ".<init>(IF)V", lengthBefore);
            checks.put(name + ".<init>(IFZ)V", new Check(ARRAYS, "length", ConstantDescs.CD_int, 2));
            checks.put(name + ".new" + hashed + "(I)L" + name.replace('.', '/') + ";", length);
        }
        for (String elements : List.of("Z", "B", "C", "D", "F", "I", "J", "S", "Ljava/lang/Object;")) {
            checks.put("java.util.Arrays.copyOf([" + elements + "I)[" + elements, length);
        }
        checks.put("java.util.Arrays.copyOf([Ljava/lang/Object;ILjava/lang/Class;)[Ljava/lang/Object;", lengthBefore);
        for (String buffer : List.of("ByteBuffer", "CharBuffer", "IntBuffer", "LongBuffer")) {
            checks.put("java.nio." + buffer + ".allocate(I)Ljava/nio/" + buffer + ";", length);
        }
        checks.put("java.nio.ByteBuffer.allocateDirect(I)Ljava/nio/ByteBuffer;", length);
    }

    private static void putBits(Map<String, Check> checks) {
        Check bit = new Check(ARRAYS, "bit", ConstantDescs.CD_int, 0);
        Check bitBefore = new Check(ARRAYS, "bit", ConstantDescs.CD_int, 1);
        for (String change : List.of("set", "flip")) {
            checks.put("java.util.BitSet." + change + "(I)V", bit);
            checks.put("java.util.BitSet." + change + "(II)V", bit);
        }
        checks.put("java.util.BitSet.<init>(I)V", bit);
        checks.put("java.util.BitSet.set(IZ)V", bitBefore);
        checks.put("java.util.BitSet.set(IIZ)V", bitBefore);
    }

    /** Puts the check of a call's argument before the call, if the argument has one. */
    static void check(CodeBuilder builder, InvokeInstruction call) {
        ClassDesc owner = call.owner().asSymbol();
        if (owner.isArray()) {
            return;
        }
        String home = MethodScanner.binaryName(owner);
        String name = call.name().stringValue();
        if (home.equals("java.util.Arrays") && name.equals("copyOfRange")) {
            checkRange(builder, call.typeSymbol().parameterCount() > 3);
            return;
        }
        Check check = CHECKS.get(home + "." + name + call.typeSymbol().descriptorString());
        if (check != null) {
            check.emit(builder);
        }
    }

    /** Adds the check of two indexes on the stack, which may have a class behind them. */
    private static void checkRange(CodeBuilder builder, boolean hasClass) {
        if (hasClass) {
            builder.dup_x2().pop();
        }
        builder.dup2();
        builder.invokestatic(
                ARRAYS, "range", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int, ConstantDescs.CD_int));
        if (hasClass) {
            builder.dup2_x1().pop2();
        }
    }

    /** Adds the check of an array's length, which is on the stack. */
    static void checkLength(CodeBuilder builder) {
        builder.invokestatic(ARRAYS, "length", MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int));
    }

    /** Adds the calls that make an array with several dimensions, whose lengths are on the stack. */
    static void make(CodeBuilder builder, NewMultiArrayInstruction array) {
        ClassDesc lengths = ConstantDescs.CD_int.arrayType();
        builder.invokestatic(ARRAYS, "dimension", MethodTypeDesc.of(lengths, ConstantDescs.CD_int));
        for (int i = 1; i < array.dimensions(); i++) {
            builder.invokestatic(ARRAYS, "dimension", MethodTypeDesc.of(lengths, ConstantDescs.CD_int, lengths));
        }
        ClassDesc type = array.arrayType().asSymbol();
        builder.ldc(type);
        builder.invokestatic(
                ARRAYS, "make", MethodTypeDesc.of(ConstantDescs.CD_Object, lengths, ConstantDescs.CD_Class));
        builder.checkcast(type);
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
