package io.reprise.session;

import java.util.regex.Pattern;

/** The functions of the system catalogue, called by generated code; arguments may be null. */
public final class SystemFunctions {
    private SystemFunctions() {}

    /** A regular expression matches a part of the text. */
    public static Boolean matches(String text, String pattern) {
        return text == null || pattern == null
                ? null
                : Pattern.compile(pattern).matcher(text).find();
    }

    /** Everything is visible. */
    public static boolean visible(Long oid) {
        return true;
    }

    /** Everything is permitted that the catalogue shows. */
    public static boolean permitted(String subject, String privilege) {
        return true;
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
