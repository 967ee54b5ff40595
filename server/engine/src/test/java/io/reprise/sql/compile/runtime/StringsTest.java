package io.reprise.sql.compile.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.reprise.procedure.LoopGuard;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.row.Ref;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Against Java's own strings, counted in code points. */
final class StringsTest {
    private static final int ROUNDS = 20_000;
    private static final String[] CHARACTERS = {"a", "b", "A", "%", "_", " ", "ä", "ß", "日", "𝄞", "\0", "z"};

    private final PartitionStore store = new PartitionStore(PartitionStore.Options.single(1 << 28));
    private final Memory memory = store.memory();
    private final SplittableRandom random = new SplittableRandom(7);

    @AfterEach
    void close() {
        store.close();
    }

    private String text(int longest) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(longest + 1); i > 0; i--) {
            text.append(CHARACTERS[random.nextInt(CHARACTERS.length)]);
        }
        return text.toString();
    }

    private long ref(String text) {
        return Utf8.encode(text, store);
    }

    private String text(long ref) {
        return Utf8.decode(memory, ref);
    }

    private static String part(String text, long from, long to) {
        int[] characters = text.codePoints().toArray();
        int start = Math.clamp(from, 0, characters.length);
        int end = Math.clamp(to, start, characters.length);
        return new String(characters, start, end - start);
    }

    private void nextRound(int round) {
        if (round % 1000 == 0) {
            store.begin(round + 1L);
        }
    }

    @Test
    void shouldEncodeAsJavaDoes() {
        for (int i = 0; i < ROUNDS; i++) {
            nextRound(i);
            String text = text(20);
            long ref = ref(text);
            byte[] bytes = new byte[Ref.length(ref)];
            Utf8.copyOut(memory, ref, bytes, 0);

            assertThat(bytes).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
            assertThat(Utf8.characters(memory, ref)).isEqualTo(text.codePointCount(0, text.length()));
        }
        assertThat(text(ref("unpaired \uD800!"))).isEqualTo("unpaired ?!");
        assertThat(text(ref("x".repeat(1000)))).isEqualTo("x".repeat(1000));
    }

    @Test
    void shouldTakePartsByCharacters() {
        for (int i = 0; i < ROUNDS; i++) {
            nextRound(i);
            String text = text(8);
            long ref = ref(text);
            int start = random.nextInt(14) - 3;
            int length = random.nextInt(12);
            String message = "'" + text + "' from " + start + " for " + length;

            assertThat(text(Strings.substring(store, ref, start))).as(message).isEqualTo(part(text, start - 1, 99));
            assertThat(text(Strings.substring(store, ref, start, length)))
                    .as(message)
                    .isEqualTo(part(text, Math.max(0, start - 1), start - 1 + length));
            int characters = text.codePointCount(0, text.length());
            int kept = start < 0 ? Math.max(0, characters + start) : start;
            assertThat(text(Strings.left(store, ref, start))).as(message).isEqualTo(part(text, 0, kept));
            assertThat(text(Strings.right(store, ref, -length)))
                    .as(message)
                    .isEqualTo(length == 0 ? "" : part(text, Math.min(length, characters), 99));
            assertThat(text(Strings.right(store, ref, length)))
                    .as(message)
                    .isEqualTo(part(text, characters - length, 99));
            assertThat(text(Strings.truncate(memory, ref, length))).as(message).isEqualTo(part(text, 0, length));
        }
        assertThat(text(Strings.substring(store, ref("abc"), Long.MAX_VALUE, Long.MAX_VALUE)))
                .isEmpty();
        assertThat(text(Strings.substring(store, ref("abc"), Long.MIN_VALUE, Long.MAX_VALUE)))
                .isEmpty();
    }

    @Test
    void shouldChangeAndSearch() {
        for (int i = 0; i < ROUNDS; i++) {
            nextRound(i);
            String text = text(8);
            String what = text(2);
            String by = text(3);
            long ref = ref(text);

            assertThat(text(Strings.upper(store, ref))).isEqualTo(text.toUpperCase(Locale.ROOT));
            assertThat(text(Strings.lower(store, ref))).isEqualTo(text.toLowerCase(Locale.ROOT));
            assertThat(text(Strings.concat(store, ref, ref(by)))).isEqualTo(text + by);
            assertThat(text(Strings.replace(store, ref, ref(what), ref(by))))
                    .isEqualTo(what.isEmpty() ? text : text.replace(what, by));
            int at = text.indexOf(what);
            assertThat(Strings.position(store, ref(what), ref)).isEqualTo(at < 0 ? 0 : text.codePointCount(0, at) + 1);
            assertThat(text(Strings.trim(memory, ref("a"), ref, true, true)))
                    .isEqualTo(text.replaceAll("^a+", "").replaceAll("a+$", ""));
            assertThat(text(Strings.trim(memory, ref("ä"), ref, false, true))).isEqualTo(text.replaceAll("ä+$", ""));
            assertThat(text(Strings.repeat(store, ref, 3))).isEqualTo(text.repeat(3));
        }
    }

    @Test
    void shouldCompareByCodePoints() {
        for (int i = 0; i < ROUNDS; i++) {
            nextRound(i);
            String a = text(4);
            String b = text(4);
            int expected =
                    Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());

            assertThat(Integer.signum(Strings.compare(memory, ref(a), ref(b)))).isEqualTo(Integer.signum(expected));
            assertThat(Strings.equal(memory, ref(a), ref(b))).isEqualTo(a.equals(b));
        }
    }

    @Test
    void shouldMatchPatternsAsRegularExpressionsDo() {
        LikePattern.Cache cache = new LikePattern.Cache();
        for (int i = 0; i < ROUNDS; i++) {
            nextRound(i);
            String text = text(8);
            String pattern = text(5);
            StringBuilder regex = new StringBuilder();
            pattern.codePoints()
                    .forEach(c -> regex.append(
                            switch (c) {
                                case '%' -> ".*";
                                case '_' -> ".";
                                default -> Pattern.quote(Character.toString(c));
                            }));
            long expected = Pattern.compile(regex.toString(), Pattern.DOTALL)
                            .matcher(text)
                            .matches()
                    ? 1
                    : 0;

            assertThat(LikePattern.compile(pattern, null).matches(memory, ref(text)))
                    .as("'%s' LIKE '%s'", text, pattern)
                    .isEqualTo(expected);
            assertThat(cache.matches(memory, ref(text), ref(pattern), -1)).isEqualTo(expected);
        }
    }

    @Test
    void shouldFindLongPartsWhereJavaDoes() {
        for (int i = 0; i < ROUNDS; i++) {
            nextRound(i);
            int letters = 1 + random.nextInt(3);
            String text = repetitive(random.nextInt(120), letters);
            String part = random.nextInt(4) == 0 || text.isEmpty()
                    ? repetitive(1 + random.nextInt(40), letters)
                    : text.substring(random.nextInt(text.length()));
            int from = random.nextInt(text.length() + 1);

            int found = new ByteSearch(part.getBytes(StandardCharsets.UTF_8))
                    .find(memory, Ref.address(ref(text)), from, text.length());

            assertThat(found).as("'%s' in '%s' from %d", part, text, from).isEqualTo(text.indexOf(part, from));
            assertThat(text(Strings.replace(store, ref(text), ref(part), ref("-"))))
                    .isEqualTo(text.replace(part, "-"));
        }
    }

    /** A text of a few letters, with stretches that come again. */
    private String repetitive(int length, int letters) {
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            if (text.length() > 3 && random.nextInt(3) == 0) {
                text.append(text.substring(random.nextInt(text.length())));
            } else {
                text.append((char) ('a' + random.nextInt(letters)));
            }
        }
        return text.substring(0, length);
    }

    @Test
    void shouldSearchRepetitiveStringsInLinearTime() {
        store.begin(1);
        long text = ref("a".repeat(1_000_000));
        String part = "a".repeat(200_000) + "b" + "a".repeat(200_000);

        assertTimeout(Duration.ofSeconds(10), () -> {
            assertThat(LikePattern.compile("%" + part + "%", null).matches(memory, text))
                    .isZero();
            assertThat(Strings.position(store, ref(part), text)).isZero();
            assertThat(Strings.replace(store, text, ref(part), ref("c"))).isEqualTo(text);
            assertThat(text(Strings.replace(store, text, ref("a".repeat(100_000)), ref("c"))))
                    .isEqualTo("c".repeat(10));
        });
    }

    @Test
    void shouldEndASearchWithUnderscoresWhenTheTimeIsOver() {
        store.begin(1);
        long text = ref("a".repeat(1_000_000));
        LikePattern pattern = LikePattern.compile("%a_" + "a".repeat(100_000) + "b%", null);
        AtomicInteger checks = new AtomicInteger();
        LoopGuard.mark(Thread.currentThread(), () -> checks.incrementAndGet() > 1);

        try {
            assertThatThrownBy(() -> pattern.matches(memory, text)).isInstanceOf(ProcedureException.class);
        } finally {
            LoopGuard.clear(Thread.currentThread());
        }
    }
}
