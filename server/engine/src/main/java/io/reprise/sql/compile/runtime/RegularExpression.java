package io.reprise.sql.compile.runtime;

import io.reprise.procedure.LoopGuard;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.Ref;
import java.util.Arrays;

/**
 * A regular expression as a program of a non-deterministic automaton. All states are followed at the same time, so that a search takes
 * at most the product of the program's length and the string's, and its memory does not depend on the string.
 *
 * <p>An instance keeps the states of a search and belongs to one thread.
 */
public final class RegularExpression {
    /** The kinds of instructions. */
    enum Kind {
        /** A character of a class, then the next instruction. */
        CHARACTER,
        /** Two instructions without a character. */
        SPLIT,
        /** Another instruction without a character. */
        JUMP,
        /** The same, where group {@code y / 2} begins or, if y is odd, ends. */
        SAVE,
        /** The next instruction, if the place in the string is one of these. */
        START,
        END,
        WORD_START,
        WORD_END,
        WORD_EDGE,
        NO_WORD_EDGE,
        /** The expression matches. */
        MATCH
    }

    /** An instruction; {@code x} and {@code y} are instructions to go on with. */
    record Instruction(Kind kind, CharacterClass accepted, int x, int y) {}

    private static final int NONE = -1;
    private static final int CHARACTERS_PER_CHECK = 1 << 12;

    private final Instruction[] program;

    /** The instructions that wait for a character, and those behind it. */
    private int[] current;

    private int[] next;
    private int currentCount;

    /** For each instruction the last place in the string where it was added. */
    private final int[] addedAt;

    private final int[] pending;

    RegularExpression(Instruction[] program) {
        this.program = program;
        current = new int[program.length];
        next = new int[program.length];
        addedAt = new int[program.length];
        // Each instruction is followed once for a place, and leads to two others at most.
        pending = new int[2 * program.length + 2];
    }

    /** Prepares an expression; {@code flags} are letters such as {@code i}, or null. */
    public static RegularExpression compile(String expression, String flags) {
        return new RegularExpressionParser(expression, flags).compile();
    }

    /** 1 if a part of the string matches, otherwise 0. */
    public long matches(Memory memory, long ref) {
        long address = Ref.address(ref);
        int length = Ref.length(ref);
        Arrays.fill(addedAt, NONE);
        currentCount = 0;
        int before = NONE;
        int place = 0;
        int at = 0;
        while (true) {
            if (place % CHARACTERS_PER_CHECK == 0) {
                LoopGuard.check();
            }
            int after = at < length ? character(memory, address, at, length) : NONE;
            // A match may begin at each place.
            if (add(0, place, before, after)) {
                return 1;
            } else if (after == NONE) {
                return 0;
            }
            at += bytes(after);
            int behind = at < length ? character(memory, address, at, length) : NONE;
            place++;
            int[] states = current;
            int count = currentCount;
            current = next;
            currentCount = 0;
            for (int i = 0; i < count; i++) {
                Instruction instruction = program[states[i]];
                if (instruction.accepted().contains(after) && add(instruction.x(), place, after, behind)) {
                    return 1;
                }
            }
            next = states;
            before = after;
        }
    }

    /** Adds an instruction, and those that it leads to without a character. Tells whether the expression matches here. */
    private boolean add(int first, int place, int before, int after) {
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
                case MATCH -> {
                    return true;
                }
                case CHARACTER -> current[currentCount++] = state;
                case SPLIT -> {
                    pending[waiting++] = instruction.y();
                    pending[waiting++] = instruction.x();
                }
                case JUMP, SAVE -> pending[waiting++] = instruction.x();
                default -> {
                    if (holds(instruction.kind(), before, after)) {
                        pending[waiting++] = instruction.x();
                    }
                }
            }
        }
        return false;
    }

    static boolean holds(Kind kind, int before, int after) {
        boolean wordBefore = before != NONE && CharacterClass.isWord(before);
        boolean wordAfter = after != NONE && CharacterClass.isWord(after);
        return switch (kind) {
            case START -> before == NONE;
            case END -> after == NONE;
            case WORD_START -> !wordBefore && wordAfter;
            case WORD_END -> wordBefore && !wordAfter;
            case WORD_EDGE -> wordBefore != wordAfter;
            default -> wordBefore == wordAfter;
        };
    }

    private static int character(Memory memory, long address, int at, int length) {
        int first = memory.getByte(address + at) & 0xFF;
        if (first < 0x80) {
            return first;
        }
        int count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
        int character = first & 0xFF >> count + 1;
        for (int i = 1; i < count && at + i < length; i++) {
            character = character << 6 | memory.getByte(address + at + i) & 0x3F;
        }
        return character;
    }

    private static int bytes(int character) {
        return character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    }

    /** For an expression that is computed: keeps the last one prepared. */
    public static final class Cache {
        private String expression;
        private String flags;
        private RegularExpression prepared;

        /** 1 if the string matches the expression; {@code flagsRef} -1 for none. */
        public long matches(Memory memory, long ref, long expressionRef, long flagsRef) {
            String text = Utf8.decode(memory, expressionRef);
            String letters = flagsRef < 0 ? null : Utf8.decode(memory, flagsRef);
            if (prepared == null || !text.equals(expression) || !java.util.Objects.equals(letters, flags)) {
                prepared = compile(text, letters);
                expression = text;
                flags = letters;
            }
            return prepared.matches(memory, ref);
        }
    }
}
