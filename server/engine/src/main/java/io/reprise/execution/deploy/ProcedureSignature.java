package io.reprise.execution.deploy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The parameters and the result of a procedure class's {@code run} method.
 *
 * @param procedure the procedure's name, for messages
 * @param names the parameters' names (param1, param2 ... if the class was compiled without them)
 * @param parameters the parameters' types
 * @param result the type of the result
 */
public record ProcedureSignature(
        String procedure, List<String> names, List<ParameterType> parameters, ResultType result) {
    private static final String RUN = "run";

    /** Keeps copies. */
    public ProcedureSignature {
        names = List.copyOf(names);
        parameters = List.copyOf(parameters);
    }

    /** Inspects a procedure class; an error says what is wrong with it and what to change. */
    public static ProcedureSignature of(String procedure, Class<?> type) {
        checkClass(type);
        Method run = runMethod(type);
        List<String> names = new ArrayList<>();
        List<ParameterType> parameters = new ArrayList<>();
        for (Parameter parameter : run.getParameters()) {
            String name = parameter.isNamePresent() ? parameter.getName() : "param" + (names.size() + 1);
            parameters.add(ParameterType.of(parameter.getType())
                    .orElseThrow(() -> refused(
                            type,
                            "parameter " + name + " of run has type "
                                    + parameter.getType().getTypeName()
                                    + "; a parameter can be boolean, byte, short, int, long, double, their wrappers, String,"
                                    + " Text, BigDecimal, byte[], int[], long[], double[] or String[]")));
            names.add(name);
        }
        ResultType result = ResultType.of(run.getReturnType())
                .orElseThrow(() -> refused(
                        type,
                        "run returns " + run.getReturnType().getTypeName()
                                + "; it can return void, long, int, boolean, double, String, Rows or ResultTable"));
        return new ProcedureSignature(procedure, names, parameters, result);
    }

    /**
     * Checks a call's arguments and converts them in place to what {@code run} takes, so that an {@link Invoker} reads
     * them without a further look; throws INVALID_REQUEST or INVALID_VALUE naming the parameter.
     */
    public void check(Arguments arguments) {
        checkCount(arguments.count());
        for (int i = 0; i < parameters.size(); i++) {
            ParameterType type = parameters.get(i);
            if (!type.accepts(arguments, i) && !ArgumentConversion.convert(arguments, i, type)) {
                throw mismatch(arguments, i);
            }
        }
    }

    /** Throws {@link ProcedureException} if it doesn't take so many arguments. */
    public void checkCount(int given) {
        if (given != parameters.size()) {
            throw new ProcedureException(
                    ErrorCode.INVALID_REQUEST,
                    "procedure " + procedure + " takes " + counted(parameters.size()) + " " + describe() + ", but "
                            + given + (given == 1 ? " was" : " were") + " given");
        }
    }

    private ProcedureException mismatch(Arguments arguments, int index) {
        return new ProcedureException(
                ErrorCode.INVALID_VALUE,
                "parameter " + names.get(index) + " (" + (index + 1) + " of " + parameters.size() + ") of procedure "
                        + procedure + " takes " + parameters.get(index).description() + ", but got "
                        + ArgumentConversion.describe(arguments, index));
    }

    private String describe() {
        StringBuilder text = new StringBuilder("(");
        for (int i = 0; i < names.size(); i++) {
            text.append(i == 0 ? "" : ", ")
                    .append(parameters.get(i).javaType().getSimpleName())
                    .append(' ')
                    .append(names.get(i));
        }
        return text.append(')').toString();
    }

    private static String counted(int parameters) {
        return parameters == 1 ? "1 argument" : parameters + " arguments";
    }

    private static void checkClass(Class<?> type) {
        if (!Procedure.class.isAssignableFrom(type)) {
            throw refused(type, "it does not extend " + Procedure.class.getName());
        }
        if (Modifier.isAbstract(type.getModifiers())) {
            throw refused(type, "it is abstract; name a class that can be instantiated");
        }
        if (!Modifier.isPublic(type.getModifiers())) {
            throw refused(type, "it is not public");
        }
        if (type.getEnclosingClass() != null && !Modifier.isStatic(type.getModifiers())) {
            throw refused(type, "it is an inner class; declare it static, or in a file of its own");
        }
        try {
            if (!Modifier.isPublic(type.getDeclaredConstructor().getModifiers())) {
                throw refused(type, "its constructor without parameters is not public");
            }
        } catch (NoSuchMethodException e) {
            throw refused(type, "it has no constructor without parameters");
        }
    }

    private static Method runMethod(Class<?> type) {
        List<Method> methods = Arrays.stream(type.getMethods())
                .filter(m -> m.getName().equals(RUN) && !m.isBridge() && !m.isSynthetic())
                .toList();
        if (methods.isEmpty()) {
            boolean hidden = Arrays.stream(type.getDeclaredMethods())
                    .anyMatch(m -> m.getName().equals(RUN));
            throw refused(
                    type,
                    hidden ? "its method run is not public" : "it has no method run; declare one public method run");
        }
        if (methods.size() > 1) {
            throw refused(
                    type,
                    "it has " + methods.size() + " public methods run; a procedure has exactly one, rename the others");
        }
        Method run = methods.getFirst();
        if (Modifier.isStatic(run.getModifiers())) {
            throw refused(type, "its method run is static; a procedure's is not");
        }
        return run;
    }

    private static ProcedureException refused(Class<?> type, String why) {
        return new ProcedureException(
                ErrorCode.INVALID_REQUEST, "class " + type.getName() + " is not a procedure: " + why);
    }
}
