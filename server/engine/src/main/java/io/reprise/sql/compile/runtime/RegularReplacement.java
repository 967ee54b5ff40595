package io.reprise.sql.compile.runtime;

import io.reprise.procedure.LoopGuard;
import io.reprise.sql.compile.runtime.RegularExpression.Instruction;
import io.reprise.sql.compile.runtime.RegularExpression.Kind;
import io.reprise.storage.PartitionStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

/**
 * A search for the matches of a regular expression, to replace or to count them. The match is the leftmost one, and of several the longest;
 * the shortest, if the expression's first quantifier is not greedy. Its groups are found in a second run over the match alone.
 *
 * <p>An instance keeps the states of a search and belongs to one thread.
 */
public final class RegularReplacement {
    private static final int NONE = -1;
    private static final int CHARACTERS_PER_CHECK = 1 << 10;

    /** Groups that a replacement can name, and the match itself. */
    private static final int GROUPS = 10;

    private final Instruction[] program;
    private final boolean shortest;
    private final boolean all;
    private int[] states;
    private int[] starts;
    private int[] nextStates;
    private int[] nextStarts;
    private final int[] addedAt;
    private final int[] pending;
    private int count;
    private int nextCount;
    private int[] text = {};
    private int matchStart;
    private int matchEnd;
    private int worked;

    private RegularReplacement(RegularExpressionParser.Searched searched, boolean all) {
        program = searched.program();
        shortest = searched.shortest();
        this.all = all;
        states = new int[program.length];
        starts = new int[program.length];
        nextStates = new int[program.length];
        nextStarts = new int[program.length];
        addedAt = new int[program.length];
        pending = new int[2 * program.length + 2];
    }

    private static RegularReplacement compile(String expression, String flags) {
        String letters = flags == null ? "" : flags;
        return new RegularReplacement(
                new RegularExpressionParser(expression, letters.replace("g", "")).compileSearch(),
                letters.indexOf('g') >= 0);
    }

    private String replaced(String string, String by) {
        text = string.codePoints().toArray();
        StringBuilder out = new StringBuilder(string.length());
        int copied = 0;
        int from = 0;
        while (from <= text.length && find(from)) {
            append(out, copied, matchStart);
            substitute(out, by);
            copied = matchEnd;
            from = matchEnd == matchStart ? matchEnd + 1 : matchEnd;
            if (!all) {
                break;
            }
        }
        append(out, copied, text.length);
        return out.toString();
    }

    private long counted(String string) {
        text = string.codePoints().toArray();
        long matches = 0;
        int from = 0;
        while (from <= text.length && find(from)) {
            matches++;
            from = matchEnd == matchStart ? matchEnd + 1 : matchEnd;
        }
        return matches;
    }

    private void append(StringBuilder out, int from, int to) {
        for (int i = from; i < to; i++) {
            out.appendCodePoint(text[i]);
        }
        if (out.length() > io.reprise.catalog.SqlType.MAX_STRING_BYTES) {
            throw Errors.tooLong("the result of REGEXP_REPLACE is longer than the longest possible string, "
                    + io.reprise.catalog.SqlType.MAX_STRING_BYTES + " bytes");
        }
    }

    /** Writes the replacement: a backslash and a digit stand for a group, {@code \&} for the match. */
    private void substitute(StringBuilder out, String by) {
        if (by.indexOf('\\') < 0) {
            out.append(by);
            append(out, 0, 0);
            return;
        }
        int[] groups = groups();
        for (int i = 0; i < by.length(); i++) {
            char character = by.charAt(i);
            char next = character == '\\' && i + 1 < by.length() ? by.charAt(++i) : 0;
            if (next >= '1' && next <= '9' || next == '&') {
                int group = next == '&' ? 0 : next - '0';
                if (groups[2 * group] >= 0 && groups[2 * group + 1] >= 0) {
                    append(out, groups[2 * group], groups[2 * group + 1]);
                }
            } else if (next == 0 || next == '\\') {
                out.append(character);
            } else {
                out.append(character).append(next);
            }
        }
        append(out, 0, 0);
    }

    /** Finds the match from a place on. */
    private boolean find(int from) {
        Arrays.fill(addedAt, NONE);
        nextCount = 0;
        matchStart = NONE;
        matchEnd = NONE;
        for (int place = from; place <= text.length; place++) {
            pace();
            if (matchStart < 0) {
                add(0, place, place);
            }
            swap();
            if (place == text.length || count == 0 && matchStart >= 0) {
                break;
            }
            int character = text[place];
            for (int i = 0; i < count; i++) {
                Instruction instruction = program[states[i]];
                boolean late = matchStart >= 0 && (shortest ? starts[i] >= matchStart : starts[i] > matchStart);
                if (!late && instruction.accepted().contains(character)) {
                    add(instruction.x(), place + 1, starts[i]);
                }
            }
        }
        return matchStart >= 0;
    }

    private void swap() {
        int[] wereStates = states;
        int[] wereStarts = starts;
        states = nextStates;
        starts = nextStarts;
        count = nextCount;
        nextStates = wereStates;
        nextStarts = wereStarts;
        nextCount = 0;
    }

    private void pace() {
        if (++worked % CHARACTERS_PER_CHECK == 0) {
            LoopGuard.check();
        }
    }

    private boolean holds(Kind kind, int place) {
        return RegularExpression.holds(
                kind, place == 0 ? NONE : text[place - 1], place == text.length ? NONE : text[place]);
    }

    /** Adds an instruction, and those that it leads to without a character, for a match that has begun at a place. */
    private void add(int first, int place, int start) {
        int waiting = 0;
        pending[waiting++] = first;
        while (waiting > 0) {
            int state = pending[--waiting];
            if (addedAt[state] == place) {
                continue;
            }
            addedAt[state] = place;
            Instruction instruction = program[state];
            switch (instruction.kind()) {
                case MATCH -> matched(start, place);
                case CHARACTER -> {
                    nextStates[nextCount] = state;
                    nextStarts[nextCount++] = start;
                }
                case SPLIT -> {
                    pending[waiting++] = instruction.y();
                    pending[waiting++] = instruction.x();
                }
                case JUMP, SAVE -> pending[waiting++] = instruction.x();
                default -> {
                    if (holds(instruction.kind(), place)) {
                        pending[waiting++] = instruction.x();
                    }
                }
            }
        }
    }

    private void matched(int start, int place) {
        if (matchStart < 0 || start < matchStart || start == matchStart && !shortest) {
            matchStart = start;
            matchEnd = place;
        }
    }

    /** A state of the second run, with the ends of the groups that it has passed. */
    private record Path(int state, int[] groups) {}

    /** The beginnings and ends of the match and its groups; -1 for those that it did not pass. */
    private int[] groups() {
        int[] none = new int[2 * GROUPS];
        Arrays.fill(none, NONE);
        List<Path> paths = List.of(new Path(0, none));
        int[] found = none;
        for (int place = matchStart; place <= matchEnd; place++) {
            Arrays.fill(addedAt, NONE);
            List<Path> waiting = new ArrayList<>();
            for (Path path : paths) {
                pace();
                int[] match = follow(path, place, waiting);
                if (match != null && place == matchEnd) {
                    found = match;
                    break;
                }
            }
            List<Path> behind = new ArrayList<>();
            for (Path path : waiting) {
                Instruction instruction = program[path.state()];
                if (place < text.length && instruction.accepted().contains(text[place])) {
                    behind.add(new Path(instruction.x(), path.groups()));
                }
            }
            paths = behind;
        }
        int[] groups = found.clone();
        groups[0] = matchStart;
        groups[1] = matchEnd;
        return groups;
    }

    /** Follows a path up to its next characters. Returns the groups if it matches; null if it doesn't here. */
    private int[] follow(Path from, int place, List<Path> waiting) {
        Deque<Path> open = new ArrayDeque<>();
        open.push(from);
        while (!open.isEmpty()) {
            Path path = open.pop();
            if (addedAt[path.state()] == place) {
                continue;
            }
            addedAt[path.state()] = place;
            Instruction instruction = program[path.state()];
            switch (instruction.kind()) {
                case MATCH -> {
                    if (place == matchEnd) {
                        return path.groups();
                    }
                }
                case CHARACTER -> waiting.add(path);
                case SPLIT -> {
                    open.push(new Path(instruction.y(), path.groups()));
                    open.push(new Path(instruction.x(), path.groups()));
                }
                case JUMP -> open.push(new Path(instruction.x(), path.groups()));
                case SAVE -> {
                    int[] groups = path.groups().clone();
                    if (instruction.y() < groups.length) {
                        groups[instruction.y()] = place;
                    }
                    open.push(new Path(instruction.x(), groups));
                }
                default -> {
                    if (holds(instruction.kind(), place)) {
                        open.push(new Path(instruction.x(), path.groups()));
                    }
                }
            }
        }
        return null;
    }

    /** REGEXP_REPLACE and REGEXP_COUNT of a statement: keeps the last expression prepared. */
    public static final class Cache {
        private String expression;
        private String flags;
        private RegularReplacement prepared;

        private RegularReplacement prepared(String text, String letters) {
            if (prepared == null || !text.equals(expression) || !Objects.equals(letters, flags)) {
                prepared = compile(text, letters);
                expression = text;
                flags = letters;
            }
            return prepared;
        }

        /** The string with its first match replaced, or with the flag g all of them; {@code flagsRef} -1 for none. */
        public long replace(PartitionStore store, long ref, long expressionRef, long by, long flagsRef) {
            RegularReplacement search = prepared(
                    Utf8.decode(store.memory(), expressionRef),
                    flagsRef < 0 ? null : Utf8.decode(store.memory(), flagsRef));
            return Utf8.encode(
                    search.replaced(Utf8.decode(store.memory(), ref), Utf8.decode(store.memory(), by)), store);
        }

        /** The number of matches. */
        public long count(PartitionStore store, long ref, long expressionRef) {
            return prepared(Utf8.decode(store.memory(), expressionRef), null).counted(Utf8.decode(store.memory(), ref));
        }
    }
}
