package io.reprise.sql.compile.runtime;

import io.reprise.procedure.ProcedureException;
import io.reprise.sql.compile.runtime.RegularExpression.Instruction;
import io.reprise.sql.compile.runtime.RegularExpression.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Parses a regular expression in PostgreSQL's notation and writes its program. Back references and looking around are
 * refused, because no automaton of this kind can do them.
 */
final class RegularExpressionParser {
    private static final int MOST_CHARACTERS = 10_000;
    private static final int MOST_INSTRUCTIONS = 20_000;
    private static final int MOST_REPETITIONS = 255;
    private static final int MOST_DEPTH = 200;
    private static final int UNBOUNDED = -1;

    private final int[] text;
    private final List<Instruction> program = new ArrayList<>();
    private boolean ignoreCase;

    /** Whether the program marks the groups. */
    private boolean searches;

    private int groups;

    /** Whether the first quantifier takes as little as it can. */
    private Boolean lazy;

    private boolean literal;
    private int at;
    private int depth;

    RegularExpressionParser(String expression, String flags) {
        if (expression.length() > MOST_CHARACTERS) {
            throw Errors.invalid("a regular expression has at most " + MOST_CHARACTERS
                    + " characters, and this one has " + expression.length());
        }
        text = expression.codePoints().toArray();
        (flags == null ? "" : flags).chars().forEach(this::flag);
    }

    private void flag(int flag) {
        switch (flag) {
            case 'i' -> ignoreCase = true;
            case 'c' -> ignoreCase = false;
            case 'q' -> literal = true;
            case 's' -> {}
            default ->
                throw Errors.invalid("the flag " + Character.toString(flag)
                        + " of a regular expression is not supported: expected i, c, q or s");
        }
    }

    RegularExpression compile() {
        director();
        Node root = literal ? plain() : alternatives();
        if (at < text.length) {
            throw invalid("parentheses () not balanced");
        }
        emit(root);
        program.add(new Instruction(Kind.MATCH, null, 0, 0));
        return new RegularExpression(program.toArray(new Instruction[0]));
    }

    /**
     * A program for a search.
     *
     * @param program the program, which marks groups
     * @param shortest whether of several matches the shortest is wanted
     */
    record Searched(Instruction[] program, boolean shortest) {}

    /** The program of a search that needs places. */
    Searched compileSearch() {
        searches = true;
        compile();
        return new Searched(program.toArray(new Instruction[0]), Boolean.TRUE.equals(lazy));
    }

    /** The options in front of an expression: {@code ***=}, {@code ***:} or {@code (?i)}. */
    private void director() {
        if (starts("***=")) {
            at += 4;
            literal = true;
        } else if (starts("***:")) {
            at += 4;
        }
        if (starts("(?") && at + 2 < text.length && Character.isLowerCase(text[at + 2])) {
            int end = at + 2;
            while (end < text.length && text[end] != ')') {
                flag(text[end++]);
            }
            at = end + 1;
        }
    }

    private boolean starts(String with) {
        for (int i = 0; i < with.length(); i++) {
            if (at + i >= text.length || text[at + i] != with.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private ProcedureException invalid(String why) {
        return Errors.invalid("invalid regular expression: " + why + ", in " + new String(text, 0, text.length));
    }

    // The syntax tree

    private sealed interface Node {
        /** One character. */
        record One(CharacterClass accepted) implements Node {}

        /** A place. */
        record Place(Kind kind) implements Node {}

        /** One after the other. */
        record Sequence(List<Node> parts) implements Node {}

        /** One of several. */
        record Choice(List<Node> parts) implements Node {}

        /** Several times. */
        record Repeated(Node part, int least, int most, boolean lazy) implements Node {}

        /** A part between parentheses, by its number from 1. */
        record Group(int number, Node part) implements Node {}
    }

    private Node plain() {
        List<Node> parts = new ArrayList<>();
        while (at < text.length) {
            parts.add(new Node.One(CharacterClass.of(text[at++], ignoreCase)));
        }
        return new Node.Sequence(parts);
    }

    private Node alternatives() {
        if (++depth > MOST_DEPTH) {
            throw invalid("more than " + MOST_DEPTH + " parentheses within each other");
        }
        List<Node> parts = new ArrayList<>();
        parts.add(sequence());
        while (at < text.length && text[at] == '|') {
            at++;
            parts.add(sequence());
        }
        depth--;
        return parts.size() == 1 ? parts.getFirst() : new Node.Choice(parts);
    }

    private Node sequence() {
        List<Node> parts = new ArrayList<>();
        while (at < text.length && text[at] != '|' && text[at] != ')') {
            parts.add(repeated(atom()));
        }
        return parts.size() == 1 ? parts.getFirst() : new Node.Sequence(parts);
    }

    private Node repeated(Node atom) {
        Node node = atom;
        while (at < text.length) {
            int least;
            int most;
            switch (text[at]) {
                case '*' -> {
                    least = 0;
                    most = UNBOUNDED;
                    at++;
                }
                case '+' -> {
                    least = 1;
                    most = UNBOUNDED;
                    at++;
                }
                case '?' -> {
                    least = 0;
                    most = 1;
                    at++;
                }
                case '{' -> {
                    if (at + 1 >= text.length || !isDigit(text[at + 1])) {
                        return node;
                    }
                    at++;
                    least = number();
                    most = least;
                    if (text[at] == ',') {
                        at++;
                        most = at < text.length && isDigit(text[at]) ? number() : UNBOUNDED;
                    }
                    if (at >= text.length || text[at] != '}' || most != UNBOUNDED && most < least) {
                        throw invalid("invalid repetition count");
                    }
                    at++;
                }
                default -> {
                    return node;
                }
            }
            if (node instanceof Node.Place) {
                throw invalid("quantifier operand invalid");
            }
            boolean little = at < text.length && text[at] == '?';
            at += little ? 1 : 0;
            lazy = lazy == null ? little : lazy;
            node = new Node.Repeated(node, least, most, little);
        }
        return node;
    }

    private static boolean isDigit(int character) {
        return character >= '0' && character <= '9';
    }

    private int number() {
        int number = 0;
        while (at < text.length && isDigit(text[at])) {
            number = Math.min(number * 10 + text[at++] - '0', MOST_REPETITIONS + 1);
        }
        if (number > MOST_REPETITIONS || at >= text.length) {
            throw invalid("invalid repetition count");
        }
        return number;
    }

    private Node atom() {
        int character = text[at++];
        return switch (character) {
            case '^' -> new Node.Place(Kind.START);
            case '$' -> new Node.Place(Kind.END);
            case '.' -> new Node.One(CharacterClass.any());
            case '[' -> new Node.One(bracket());
            case '(' -> group();
            case '\\' -> escape();
            case '*', '+', '?' -> throw invalid("quantifier operand invalid");
            default -> new Node.One(CharacterClass.of(character, ignoreCase));
        };
    }

    private Node group() {
        boolean marked = at >= text.length || text[at] != '?';
        int number = marked ? ++groups : 0;
        if (!marked) {
            if (!starts("?:")) {
                throw Errors.invalid("a regular expression can't look around: (?= and its like are not supported");
            }
            at += 2;
        }
        Node inside = alternatives();
        if (at >= text.length) {
            throw invalid("parentheses () not balanced");
        }
        at++;
        return marked && searches ? new Node.Group(number, inside) : inside;
    }

    private Node escape() {
        if (at >= text.length) {
            throw invalid("invalid escape \\ sequence");
        }
        int letter = text[at++];
        IntPredicate kind = kind(letter);
        if (kind != null) {
            return new Node.One(CharacterClass.of(kind, Character.isUpperCase(letter)));
        }
        return switch (letter) {
            case 'm', '<' -> new Node.Place(Kind.WORD_START);
            case 'M', '>' -> new Node.Place(Kind.WORD_END);
            case 'y' -> new Node.Place(Kind.WORD_EDGE);
            case 'Y' -> new Node.Place(Kind.NO_WORD_EDGE);
            case 'A' -> new Node.Place(Kind.START);
            case 'Z' -> new Node.Place(Kind.END);
            case '1', '2', '3', '4', '5', '6', '7', '8', '9' ->
                throw Errors.invalid("a regular expression can't refer to what it has matched: \\"
                        + Character.toString(letter) + " is not supported");
            default -> new Node.One(CharacterClass.of(character(letter), ignoreCase));
        };
    }

    /** The kind of characters that a letter behind a backslash stands for, in either case; null if it stands for none. */
    private static IntPredicate kind(int letter) {
        return switch (letter) {
            case 'd', 'D' -> Character::isDigit;
            case 'w', 'W' -> CharacterClass::isWord;
            case 's', 'S' -> CharacterClass::isSpace;
            default -> null;
        };
    }

    /** The character that a letter behind a backslash stands for. */
    private int character(int letter) {
        return switch (letter) {
            case 'a' -> 7;
            case 'b' -> '\b';
            case 'B' -> '\\';
            case 'e' -> 27;
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'v' -> 11;
            case '0' -> 0;
            case 'x', 'u' -> hexadecimal(letter == 'x' ? 2 : 4);
            case 'U' -> hexadecimal(8);
            default -> {
                if (Character.isLetterOrDigit(letter)) {
                    throw invalid("invalid escape \\ sequence");
                }
                yield letter;
            }
        };
    }

    private int hexadecimal(int digits) {
        int value = 0;
        for (int i = 0; i < digits; i++) {
            int digit = at < text.length ? Character.digit(text[at], 16) : -1;
            if (digit < 0) {
                throw invalid("invalid escape \\ sequence");
            }
            value = value << 4 | digit;
            at++;
        }
        if (!Character.isValidCodePoint(value)) {
            throw invalid("invalid escape \\ sequence");
        }
        return value;
    }

    private CharacterClass bracket() {
        CharacterClass accepted = new CharacterClass();
        if (at < text.length && text[at] == '^') {
            at++;
            accepted.negate();
        }
        if (ignoreCase) {
            accepted.ignoreCase();
        }
        boolean first = true;
        while (at < text.length && (text[at] != ']' || first)) {
            first = false;
            item(accepted);
        }
        if (at >= text.length) {
            throw invalid("brackets [] not balanced");
        }
        at++;
        return accepted;
    }

    private void item(CharacterClass accepted) {
        if (starts("[:")) {
            int end = at + 2;
            while (end + 1 < text.length && !(text[end] == ':' && text[end + 1] == ']')) {
                end++;
            }
            IntPredicate named = CharacterClass.named(new String(text, at + 2, Math.max(0, end - at - 2)));
            if (named == null) {
                throw invalid("invalid character class");
            }
            accepted.add(named);
            at = end + 2;
            return;
        }
        if (starts("[.") || starts("[=")) {
            throw invalid("collating elements are not supported");
        }
        if (text[at] == '\\' && at + 1 < text.length && kind(text[at + 1]) != null) {
            IntPredicate kind = kind(text[at + 1]);
            accepted.add(Character.isUpperCase(text[at + 1]) ? kind.negate() : kind);
            at += 2;
            return;
        }
        int from = single();
        int to = from;
        if (at + 1 < text.length && text[at] == '-' && text[at + 1] != ']') {
            at++;
            to = single();
        }
        if (to < from) {
            throw invalid("invalid character range");
        }
        accepted.add(from, to);
    }

    private int single() {
        int character = text[at++];
        if (character != '\\' || at >= text.length) {
            return character;
        }
        return character(text[at++]);
    }

    // The program

    private void emit(Node node) {
        if (program.size() > MOST_INSTRUCTIONS) {
            throw invalid("it is too large");
        }
        switch (node) {
            case Node.One one -> add(Kind.CHARACTER, one.accepted(), program.size() + 1, 0);
            case Node.Place place -> add(place.kind(), null, program.size() + 1, 0);
            case Node.Sequence sequence -> sequence.parts().forEach(this::emit);
            case Node.Choice choice -> emitChoice(choice.parts());
            case Node.Repeated repeated -> emitRepeated(repeated);
            case Node.Group group -> {
                add(Kind.SAVE, null, program.size() + 1, 2 * group.number());
                emit(group.part());
                add(Kind.SAVE, null, program.size() + 1, 2 * group.number() + 1);
            }
        }
    }

    private int add(Kind kind, CharacterClass accepted, int x, int y) {
        program.add(new Instruction(kind, accepted, x, y));
        return program.size() - 1;
    }

    private void emitChoice(List<Node> parts) {
        List<Integer> jumps = new ArrayList<>();
        for (int i = 0; i < parts.size() - 1; i++) {
            int split = add(Kind.SPLIT, null, program.size() + 1, 0);
            emit(parts.get(i));
            jumps.add(add(Kind.JUMP, null, 0, 0));
            program.set(split, new Instruction(Kind.SPLIT, null, split + 1, program.size()));
        }
        emit(parts.getLast());
        for (int jump : jumps) {
            program.set(jump, new Instruction(Kind.JUMP, null, program.size(), 0));
        }
    }

    private void emitRepeated(Node.Repeated repeated) {
        for (int i = 0; i < repeated.least(); i++) {
            emit(repeated.part());
        }
        if (repeated.most() == UNBOUNDED) {
            int split = add(Kind.SPLIT, null, 0, 0);
            emit(repeated.part());
            add(Kind.JUMP, null, split, 0);
            program.set(split, split(split, repeated.lazy()));
            return;
        }
        List<Integer> splits = new ArrayList<>();
        for (int i = repeated.least(); i < repeated.most(); i++) {
            splits.add(add(Kind.SPLIT, null, 0, 0));
            emit(repeated.part());
        }
        for (int split : splits) {
            program.set(split, split(split, repeated.lazy()));
        }
    }

    /** The choice between once more and the end of the program so far. */
    private Instruction split(int at, boolean lazy) {
        return lazy
                ? new Instruction(Kind.SPLIT, null, program.size(), at + 1)
                : new Instruction(Kind.SPLIT, null, at + 1, program.size());
    }
}
