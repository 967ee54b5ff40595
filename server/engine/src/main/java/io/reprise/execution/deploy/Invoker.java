package io.reprise.execution.deploy;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Text;

/**
 * Makes instances of one procedure class and calls their {@code run} method. The subclasses are generated, one for each
 * deployed procedure, so that a call boxes nothing and needs no reflection. Stateless.
 */
public abstract class Invoker {
    /** For generated classes. */
    protected Invoker() {}

    /** A new instance; must run within a {@link io.reprise.procedure.Binding}. */
    public abstract Procedure create();

    /**
     * Runs the procedure.
     *
     * @param procedure an instance of the class that this invoker was made for
     * @param arguments checked by {@link ProcedureSignature#check}
     * @param sink gets the result
     */
    public abstract void invoke(Procedure procedure, Arguments arguments, ResultSink sink);

    /** An argument for a parameter that can be null; for generated classes, like those that follow. */
    protected static Boolean nullableBoolean(Arguments arguments, int index) {
        return arguments.isNull(index) ? null : Boolean.valueOf(arguments.word(index) != 0);
    }

    protected static Byte nullableByte(Arguments arguments, int index) {
        return arguments.isNull(index) ? null : Byte.valueOf((byte) arguments.word(index));
    }

    protected static Short nullableShort(Arguments arguments, int index) {
        return arguments.isNull(index) ? null : Short.valueOf((short) arguments.word(index));
    }

    protected static Integer nullableInteger(Arguments arguments, int index) {
        return arguments.isNull(index) ? null : Integer.valueOf((int) arguments.word(index));
    }

    protected static Long nullableLong(Arguments arguments, int index) {
        return arguments.isNull(index) ? null : Long.valueOf(arguments.word(index));
    }

    protected static Double nullableDouble(Arguments arguments, int index) {
        return arguments.isNull(index) ? null : Double.valueOf(arguments.doubleAt(index));
    }

    /** A text that the procedure may point elsewhere: the caller's text stays as it was, and can be logged. */
    protected static Text copy(Text text) {
        return text == null ? null : new Text().wrap(text.segment(), text.offset(), text.length());
    }

    /** An array that the procedure may change, likewise. */
    protected static byte[] copy(byte[] array) {
        return array == null ? null : array.clone();
    }

    protected static int[] copy(int[] array) {
        return array == null ? null : array.clone();
    }

    protected static long[] copy(long[] array) {
        return array == null ? null : array.clone();
    }

    protected static double[] copy(double[] array) {
        return array == null ? null : array.clone();
    }

    protected static String[] copy(String[] array) {
        return array == null ? null : array.clone();
    }
}
