package io.reprise.sql.compile.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.SqlType;
import io.reprise.sql.physical.PlanField;
import io.reprise.storage.PartitionStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class SorterTest {
    private record Item(Long number, Double real, String text, int sequence) {}

    private static final List<PlanField> FIELDS = List.of(
            new PlanField("N", SqlType.of(SqlType.Kind.BIGINT), true),
            new PlanField("R", SqlType.of(SqlType.Kind.DOUBLE), true),
            new PlanField("T", SqlType.varchar(10), true),
            new PlanField("S", SqlType.of(SqlType.Kind.INTEGER), false));

    @Test
    void shouldSortStablyWithAndWithoutLimit() {
        try (PartitionStore store = new PartitionStore(PartitionStore.Options.single(1 << 28))) {
            for (long seed = 1; seed <= 300; seed++) {
                store.begin(seed);
                sort(store, new SplittableRandom(seed), seed);
            }
        }
    }

    private static void sort(PartitionStore store, SplittableRandom random, long seed) {
        boolean[] descending = {random.nextBoolean(), random.nextBoolean(), random.nextBoolean()};
        boolean[] nullsFirst = {random.nextBoolean(), random.nextBoolean(), random.nextBoolean()};
        Sorter.Keys keys = new Sorter.Keys(
                new int[] {0, 1, 2},
                new Sorter.KeyType[] {Sorter.KeyType.LONG, Sorter.KeyType.DOUBLE, Sorter.KeyType.STRING},
                descending,
                nullsFirst);
        Sorter sorter = new Sorter(keys, FIELDS.size(), store);
        RowBuffer buffer = new RowBuffer(RowShape.of(FIELDS), store);
        int count = random.nextInt(500);
        boolean limited = random.nextBoolean();
        int limit = random.nextInt(60);
        List<Item> items = new ArrayList<>();
        sorter.begin(limit);
        for (int i = 0; i < count; i++) {
            Item item = new Item(
                    random.nextInt(5) == 0 ? null : random.nextLong(4),
                    random.nextInt(5) == 0 ? null : (random.nextInt(5) - 2) * 0.5,
                    random.nextInt(5) == 0 ? null : "t" + random.nextInt(3),
                    i);
            items.add(item);
            append(store, buffer, item);
            if (limited) {
                sorter.added(buffer);
            }
        }

        int sorted = sorter.sort(buffer);

        Comparator<Item> order = comparing(Item::number, descending[0], nullsFirst[0])
                .thenComparing(comparing(Item::real, descending[1], nullsFirst[1]))
                .thenComparing(comparing(Item::text, descending[2], nullsFirst[2]));
        List<Integer> expected =
                items.stream().sorted(order).map(Item::sequence).toList();
        List<Integer> actual = new ArrayList<>();
        for (int i = 0; i < sorted; i++) {
            actual.add((int) buffer.words[sorter.order[i] + 4]);
        }
        if (limited) {
            int end = Math.min(limit, expected.size());
            assertThat(actual.size()).as("seed " + seed).isGreaterThanOrEqualTo(end);
            assertThat(actual.subList(0, end)).as("seed " + seed).isEqualTo(expected.subList(0, end));
        } else {
            assertThat(actual).as("seed " + seed).isEqualTo(expected);
        }
    }

    private static <T extends Comparable<T>> Comparator<Item> comparing(
            java.util.function.Function<Item, T> key, boolean descending, boolean nullsFirst) {
        Comparator<T> values = descending ? Comparator.reverseOrder() : Comparator.naturalOrder();
        return Comparator.comparing(key, nullsFirst ? Comparator.nullsFirst(values) : Comparator.nullsLast(values));
    }

    private static void append(PartitionStore store, RowBuffer buffer, Item item) {
        int at = buffer.append();
        buffer.words[at] =
                (item.number() == null ? 1 : 0) | (item.real() == null ? 2 : 0) | (item.text() == null ? 4 : 0);
        buffer.words[at + 1] = item.number() == null ? 0 : item.number();
        buffer.words[at + 2] = item.real() == null ? 0 : Double.doubleToRawLongBits(item.real());
        buffer.words[at + 3] = item.text() == null ? 0 : Utf8.encode(item.text(), store);
        buffer.words[at + 4] = item.sequence();
    }
}
