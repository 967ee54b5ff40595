package io.reprise.execution.deploy;

/**
 * Something in a procedure's code that a replay could not repeat.
 *
 * @param className the class
 * @param method the method, or a field's name, or empty for the class as a whole
 * @param sourceFile the source file's name; empty if the class file does not say
 * @param line the line; 0 if the class file does not say
 * @param problem the problem and the remedy
 */
record Finding(String className, String method, String sourceFile, int line, String problem) {
    @Override
    public String toString() {
        String where = method.isEmpty() ? className : className + "." + method;
        String file = sourceFile.isEmpty() ? "" : " (" + sourceFile + (line == 0 ? "" : ":" + line) + ")";
        return where + file + " " + problem;
    }
}
