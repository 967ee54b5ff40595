package io.reprise.session;

import java.util.regex.Pattern;

/** The functions of the system catalogue, called by generated code; arguments may be null. */
public final class SystemFunctions {
    /** The sessions that the query of this thread reaches. */
    static final ScopedValue<Backends> BACKENDS = ScopedValue.newInstance();

    private SystemFunctions() {}

    /** Cancels the statement of a session. */
    public static Boolean cancelBackend(Long pid) {
        return pid == null ? null : BACKENDS.get().cancel(pid);
    }

    /** Ends a session. */
    public static Boolean endBackend(Long pid) {
        return pid == null ? null : BACKENDS.get().end(pid);
    }

    /** A regular expression matches a part of the text. */
    public static Boolean matches(String text, String pattern) {
        return text == null || pattern == null
                ? null
                : Pattern.compile(pattern).matcher(text).find();
    }

    /** The name of a relation. */
    public static String relationName(Long oid) {
        return oid == null ? null : SystemDefinitions.CURRENT.get().relation(oid);
    }

    /** The statement that makes an index. */
    public static String indexDefinition(Long oid) {
        return oid == null ? null : SystemDefinitions.CURRENT.get().index(oid, 0);
    }

    /** The statement that makes an index, or one of its columns. */
    public static String indexColumn(Long oid, Long column, Boolean pretty) {
        return oid == null || column == null
                ? null
                : SystemDefinitions.CURRENT.get().index(oid, column);
    }

    /** The definition of a constraint. */
    public static String constraintDefinition(Long oid) {
        return oid == null ? null : SystemDefinitions.CURRENT.get().constraint(oid);
    }

    /** The definition of a constraint. */
    public static String prettyConstraintDefinition(Long oid, Boolean pretty) {
        return constraintDefinition(oid);
    }

    /** The query of a view. */
    public static String viewDefinition(Long oid) {
        return oid == null ? null : SystemDefinitions.CURRENT.get().view(oid);
    }

    /** The query of a view. */
    public static String prettyViewDefinition(Long oid, Boolean pretty) {
        return viewDefinition(oid);
    }

    /** A name as a statement has it. */
    public static String quoteName(String name) {
        return name == null || name.matches("[a-z_][a-z0-9_$]*") ? name : '"' + name.replace("\"", "\"\"") + '"';
    }

    /** Arguments and results of procedures are not shown. */
    public static String noText(Long oid) {
        return "";
    }

    /** An array as text, without its braces. */
    public static String arrayToString(String array, String separator) {
        return array == null ? null : array.replaceAll("^\\{|\\}$", "").replace(",", String.valueOf(separator));
    }

    /** Sizes of tables are among the metrics of a node, not here. */
    public static Long unknownSize(Long oid) {
        return null;
    }

    /** A size in bytes. */
    public static String prettySize(Long bytes) {
        return bytes == null ? null : bytes + " bytes";
    }

    /** An element of an array, which counts from 1, or of a vector, which counts from 0. */
    public static Long element(String list, Long index) {
        if (list == null || index == null) {
            return null;
        }
        boolean array = list.startsWith("{");
        String[] elements = (array ? list.substring(1, list.length() - 1) : list).split("[, ]");
        long at = array ? index - 1 : index;
        return at < 0 || at >= elements.length || elements[(int) at].isEmpty()
                ? null
                : Long.valueOf(elements[(int) at]);
    }

    /** The bits that both numbers have. */
    public static Long bitAnd(Long left, Long right) {
        return left == null || right == null ? null : left & right;
    }

    /** An expression is kept as its text. */
    public static String prettyExpression(String text, Long relation, Boolean pretty) {
        return text;
    }

    /** Whether a relation is found by its name alone; types and functions are. */
    public static boolean visible(Long oid) {
        return oid == null || SystemDefinitions.CURRENT.get().visible(oid);
    }

    /** Everything is permitted that the catalogue shows. */
    public static boolean permitted(String subject, String privilege) {
        return true;
    }

    /** The same for a user. */
    public static boolean permittedTo(String user, String subject, String privilege) {
        return true;
    }

    /** Tables have no partitions of their own. */
    public static String noName(Long oid) {
        return null;
    }

    /** The same by the name of a database. */
    public static Long unknownSizeByName(String name) {
        return null;
    }

    /** The number of a relation by its name, or null. */
    public static Long relationNumber(String name) {
        long number = name == null ? 0 : SystemDefinitions.CURRENT.get().number(name);
        return number == 0 ? null : number;
    }

    /** Whether a list has a number. */
    public static Boolean contains(String list, Long number) {
        if (list == null || number == null) {
            return null;
        }
        return (',' + list.replaceAll("[{}]", "").replace(' ', ',') + ',').contains("," + number + ",");
    }

    /** A text with a place for another. */
    public static String formatted(String form, String value) {
        return form == null ? null : filled(form, value);
    }

    /** A text with places for two others. */
    public static String formattedPair(String form, String first, String second) {
        return form == null ? null : filled(filled(form, first), second);
    }

    private static String filled(String form, String value) {
        int at = form.indexOf('%');
        if (at < 0 || at + 1 == form.length()) {
            return form;
        }
        String written = form.charAt(at + 1) == 'I' ? quoteName(value) : value;
        return form.substring(0, at) + (written == null ? "" : written) + form.substring(at + 2);
    }

    /** The name of a user. */
    public static String userName(Long oid) {
        return "reprise";
    }

    /** The name of an encoding. */
    public static String encoding(Long number) {
        return "UTF8";
    }

    /** The name of a type with its modifier. */
    public static String formatType(Long oid, Long modifier) {
        return oid == null ? null : SystemTypes.format(oid, modifier == null ? -1 : modifier.intValue());
    }

    /** An expression is kept as its text. */
    public static String expression(String text, Long relation) {
        return text;
    }

    /** There are no comments. */
    public static String noComment(Long oid, String catalog) {
        return null;
    }

    /** There are no comments on columns. */
    public static String noColumnComment(Long oid, Long column) {
        return null;
    }
}
