package io.reprise.sql.compile.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;

/** The characters that one place of a regular expression accepts. */
final class CharacterClass {
    private final List<int[]> ranges = new ArrayList<>();
    private final List<IntPredicate> kinds = new ArrayList<>();
    private boolean negated;
    private boolean ignoresCase;

    /** Any character. */
    static CharacterClass any() {
        CharacterClass any = new CharacterClass();
        any.add(0, Character.MAX_CODE_POINT);
        return any;
    }

    /** One character. */
    static CharacterClass of(int character, boolean ignoreCase) {
        CharacterClass one = new CharacterClass();
        one.add(character, character);
        one.ignoresCase = ignoreCase;
        return one;
    }

    /** The characters that are of a kind, or that are not. */
    static CharacterClass of(IntPredicate kind, boolean negate) {
        CharacterClass all = new CharacterClass();
        all.add(kind);
        all.negated = negate;
        return all;
    }

    void add(int from, int to) {
        ranges.add(new int[] {from, to});
    }

    void add(IntPredicate kind) {
        kinds.add(kind);
    }

    /** Accepts all other characters from now on. */
    void negate() {
        negated = true;
    }

    /** Accepts characters whatever their case from now on. */
    void ignoreCase() {
        ignoresCase = true;
    }

    boolean contains(int character) {
        boolean found = has(character);
        if (!found && ignoresCase) {
            found = has(Character.toLowerCase(character)) || has(Character.toUpperCase(character));
        }
        return found != negated;
    }

    private boolean has(int character) {
        for (int[] range : ranges) {
            if (character >= range[0] && character <= range[1]) {
                return true;
            }
        }
        for (IntPredicate kind : kinds) {
            if (kind.test(character)) {
                return true;
            }
        }
        return false;
    }

    static boolean isWord(int character) {
        return Character.isLetterOrDigit(character) || character == '_';
    }

    static boolean isSpace(int character) {
        return character == ' ' || character >= '\t' && character <= '\r' || Character.isSpaceChar(character);
    }

    /** The kind with a name, such as {@code alpha}; null if there is none. */
    static IntPredicate named(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "alpha" -> Character::isLetter;
            case "digit" -> Character::isDigit;
            case "alnum" -> Character::isLetterOrDigit;
            case "upper" -> Character::isUpperCase;
            case "lower" -> Character::isLowerCase;
            case "space" -> CharacterClass::isSpace;
            case "blank" -> character -> character == ' ' || character == '\t';
            case "cntrl" -> Character::isISOControl;
            case "word" -> CharacterClass::isWord;
            case "xdigit" ->
                character -> character >= '0' && character <= '9'
                        || character >= 'a' && character <= 'f'
                        || character >= 'A' && character <= 'F';
            case "punct" -> CharacterClass::isPunctuation;
            case "graph" -> character -> !isSpace(character) && !Character.isISOControl(character);
            case "print" -> character -> !Character.isISOControl(character);
            default -> null;
        };
    }

    private static boolean isPunctuation(int character) {
        return !isSpace(character) && !Character.isISOControl(character) && !Character.isLetterOrDigit(character);
    }
}
