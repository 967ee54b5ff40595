package io.reprise.procedure;

import java.time.LocalDate;
import java.time.Period;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Stands in for methods of the JDK that can run for ever without calling anything of the procedure's: regular
 * expressions, some of which try exponentially many ways, and streams over a range of numbers or days. At deployment a procedure's calls
 * are woven to these, which do the same and look at {@link LoopGuard} meanwhile. The receiver of the original call is
 * the first parameter. Application code never names this class.
 */
public final class GuardedCalls {
    private GuardedCalls() {}

    /** A text that a regular expression can't look at for ever. */
    private record GuardedText(CharSequence text) implements CharSequence {
        static CharSequence of(CharSequence text) {
            return new GuardedText(text.toString());
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            LoopGuard.check();
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }

    /** For {@link Pattern#matcher}. */
    public static Matcher matcher(Pattern pattern, CharSequence text) {
        return pattern.matcher(GuardedText.of(text));
    }

    /** For {@link Matcher#reset(CharSequence)}. */
    public static Matcher reset(Matcher matcher, CharSequence text) {
        return matcher.reset(GuardedText.of(text));
    }

    /** For {@link Pattern#split(CharSequence)}. */
    public static String[] split(Pattern pattern, CharSequence text) {
        return pattern.split(GuardedText.of(text));
    }

    /** For {@link Pattern#split(CharSequence, int)}. */
    public static String[] split(Pattern pattern, CharSequence text, int limit) {
        return pattern.split(GuardedText.of(text), limit);
    }

    /** For {@link Pattern#splitWithDelimiters}. */
    public static String[] splitWithDelimiters(Pattern pattern, CharSequence text, int limit) {
        return pattern.splitWithDelimiters(GuardedText.of(text), limit);
    }

    /** For {@link String#splitWithDelimiters}. */
    public static String[] splitWithDelimiters(String text, String regex, int limit) {
        return splitWithDelimiters(Pattern.compile(regex), text, limit);
    }

    /** For {@link Pattern#splitAsStream}. */
    public static Stream<String> splitAsStream(Pattern pattern, CharSequence text) {
        return pattern.splitAsStream(GuardedText.of(text));
    }

    /** For {@link Pattern#asPredicate}. */
    public static Predicate<String> asPredicate(Pattern pattern) {
        return text -> matcher(pattern, text).find();
    }

    /** For {@link Pattern#asMatchPredicate}. */
    public static Predicate<String> asMatchPredicate(Pattern pattern) {
        return text -> matcher(pattern, text).matches();
    }

    /** For {@link Pattern#matches}. */
    public static boolean matches(String regex, CharSequence text) {
        return matcher(Pattern.compile(regex), text).matches();
    }

    /** For {@link String#matches}. */
    public static boolean matches(String text, String regex) {
        return matcher(Pattern.compile(regex), text).matches();
    }

    /** For {@link String#replaceAll}. */
    public static String replaceAll(String text, String regex, String replacement) {
        return matcher(Pattern.compile(regex), text).replaceAll(replacement);
    }

    /** For {@link String#replaceFirst}. */
    public static String replaceFirst(String text, String regex, String replacement) {
        return matcher(Pattern.compile(regex), text).replaceFirst(replacement);
    }

    /** For {@link String#split(String)}. */
    public static String[] split(String text, String regex) {
        return split(text, regex, 0);
    }

    /** For {@link String#split(String, int)}. */
    public static String[] split(String text, String regex, int limit) {
        // A single character, escaped or not, is looked for in no more than one way.
        return regex.length() <= 2 ? text.split(regex, limit) : split(Pattern.compile(regex), text, limit);
    }

    /** For {@link LongStream#range}. */
    public static LongStream range(long from, long to) {
        return LongStream.range(from, to).peek(number -> LoopGuard.check());
    }

    /** For {@link LongStream#rangeClosed}. */
    public static LongStream rangeClosed(long from, long to) {
        return LongStream.rangeClosed(from, to).peek(number -> LoopGuard.check());
    }

    /** For {@link IntStream#range}. */
    public static IntStream range(int from, int to) {
        return IntStream.range(from, to).peek(number -> LoopGuard.check());
    }

    /** For {@link IntStream#rangeClosed}. */
    public static IntStream rangeClosed(int from, int to) {
        return IntStream.rangeClosed(from, to).peek(number -> LoopGuard.check());
    }

    /** For {@link LocalDate#datesUntil(LocalDate)}. */
    public static Stream<LocalDate> datesUntil(LocalDate from, LocalDate to) {
        return from.datesUntil(to).peek(day -> LoopGuard.check());
    }

    /** For {@link LocalDate#datesUntil(LocalDate, Period)}. */
    public static Stream<LocalDate> datesUntil(LocalDate from, LocalDate to, Period step) {
        return from.datesUntil(to, step).peek(day -> LoopGuard.check());
    }
}
