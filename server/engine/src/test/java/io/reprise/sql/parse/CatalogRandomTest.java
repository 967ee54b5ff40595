package io.reprise.sql.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.CatalogChange;
import io.reprise.catalog.CatalogEditor;
import io.reprise.catalog.CatalogPrinter;
import io.reprise.catalog.CatalogUpdate;
import io.reprise.catalog.Column;
import io.reprise.catalog.DdlException;
import io.reprise.catalog.Index;
import io.reprise.catalog.Table;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Random histories of DDL: printed catalogs are read as equal ones, and the rules hold after each statement. */
final class CatalogRandomTest {
    private static final int HISTORIES = 300;
    private static final int STATEMENTS = 60;

    @Test
    void shouldKeepItsRulesAndSurvivePrintingInRandomHistories() {
        Map<String, Integer> changes = new TreeMap<>();
        for (long seed = 1; seed <= HISTORIES; seed++) {
            runHistory(seed, changes);
        }

        // A generator that only makes refused statements would test nothing.
        for (Class<?> change : CatalogChange.class.getPermittedSubclasses()) {
            assertThat(changes.getOrDefault(change.getSimpleName(), 0))
                    .as("how often %s occurred in %s", change.getSimpleName(), changes)
                    .isGreaterThan(10);
        }
    }

    private static void runHistory(long seed, Map<String, Integer> changes) {
        DdlGenerator generator = new DdlGenerator(new Random(seed));
        Catalog catalog = Catalog.empty();
        for (int i = 0; i < STATEMENTS; i++) {
            String statement = generator.next(catalog);
            String what = "seed " + seed + ", statement " + i + ": " + statement;
            try {
                CatalogUpdate update = CatalogEditor.apply(catalog, DdlParser.parse(statement));
                checkChange(what, catalog, update);
                catalog = update.catalog();
                changes.merge(update.change().getClass().getSimpleName(), 1, Integer::sum);
                check(what, catalog);
            } catch (DdlException e) {
                changes.merge("refused", 1, Integer::sum);
            } catch (RuntimeException e) {
                throw new AssertionError(what, e);
            }
        }
    }

    private static void check(String what, Catalog catalog) {
        String printed = CatalogPrinter.print(catalog);
        Catalog again = CatalogScript.load(printed).withCounters(catalog.version(), catalog.nextTableId());
        assertThat(again).as(what).isEqualTo(catalog);
        assertThat(again.tables().keySet())
                .as(what)
                .containsExactlyElementsOf(catalog.tables().keySet());
        assertThat(CatalogPrinter.print(again)).as(what).isEqualTo(printed);
        Set<String> indexNames = new HashSet<>();
        for (Table table : catalog.tables().values()) {
            checkTable(what, table, indexNames);
            assertThat(table.id()).as(what).isLessThan(catalog.nextTableId());
        }
    }

    private static void checkTable(String what, Table table, Set<String> indexNames) {
        for (int i = 0; i < table.columns().size(); i++) {
            assertThat(table.columns().get(i).position()).as(what).isEqualTo(i);
        }
        for (int i = 0; i < table.indexes().size(); i++) {
            Index index = table.indexes().get(i);
            assertThat(index.position()).as(what).isEqualTo(i);
            assertThat(index.primaryKey() && i > 0).as(what).isFalse();
            assertThat(indexNames.add(index.name())).as(what).isTrue();
            assertThat(index.columns())
                    .as(what)
                    .allMatch(c -> c >= 0 && c < table.columns().size());
            if (index.unique() && !table.replicated()) {
                assertThat(index.columns())
                        .as(what)
                        .contains(table.partitionColumn().getAsInt());
            }
            if (index.primaryKey()) {
                assertThat(index.columns())
                        .as(what)
                        .noneMatch(c -> table.columns().get(c).nullable());
            }
        }
        if (!table.replicated()) {
            assertThat(table.columns().get(table.partitionColumn().getAsInt()).nullable())
                    .as(what)
                    .isFalse();
        }
    }

    private static void checkChange(String what, Catalog before, CatalogUpdate update) {
        if (update.change() instanceof CatalogChange.Nothing) {
            assertThat(update.catalog()).as(what).isSameAs(before);
            return;
        }
        assertThat(update.catalog().version()).as(what).isEqualTo(before.version() + 1);
        if (update.change() instanceof CatalogChange.TableAltered altered) {
            checkSources(what, altered);
        }
    }

    private static void checkSources(String what, CatalogChange.TableAltered altered) {
        assertThat(altered.sourceColumns())
                .as(what)
                .hasSameSizeAs(altered.after().columns());
        for (int i = 0; i < altered.sourceColumns().size(); i++) {
            Column now = altered.after().columns().get(i);
            int source = altered.sourceColumns().get(i);
            if (source == -1) {
                assertThat(altered.before().column(now.name())).as(what).isEmpty();
            } else {
                Column was = altered.before().columns().get(source);
                assertThat(now)
                        .as(what)
                        .isEqualTo(new Column(was.name(), i, was.type(), was.nullable(), was.defaultValue()));
            }
        }
        for (int i = 0; i < altered.before().indexes().size(); i++) {
            Index was = altered.before().indexes().get(i);
            Index now = altered.after().indexes().get(i);
            assertThat(now.columns().stream().map(altered.sourceColumns()::get).toList())
                    .as(what)
                    .isEqualTo(was.columns());
        }
    }

    @Test
    void shouldRefuseMutatedScriptsWithAPositionAndNothingElse() {
        Assertions.assertTimeoutPreemptively(Duration.ofMinutes(10), () -> {
            for (long seed = 1; seed <= 4_000; seed++) {
                fuzz(seed);
            }
        });
    }

    private static void fuzz(long seed) {
        Random random = new Random(seed);
        DdlGenerator generator = new DdlGenerator(random);
        StringBuilder script = new StringBuilder();
        Catalog catalog = Catalog.empty();
        for (int i = 0; i < 4; i++) {
            script.append(generator.next(catalog)).append(";\n");
        }
        int mutations = 1 + random.nextInt(8);
        for (int i = 0; i < mutations; i++) {
            mutate(random, script);
        }
        String text = script.toString();
        try {
            CatalogScript.load(text);
        } catch (DdlException e) {
            int lines = text.split("\n", -1).length;
            assertThat(e.position().line()).as("seed %d: %s", seed, text).isBetween(1, lines);
            assertThat(e.position().column()).as("seed %d: %s", seed, text).isPositive();
            assertThat(e.problem()).as("seed %d: %s", seed, text).isNotBlank();
        } catch (RuntimeException | StackOverflowError e) {
            throw new AssertionError("seed " + seed + ": " + text, e);
        }
    }

    private static void mutate(Random random, StringBuilder text) {
        String[] pieces = {
            "'",
            "\"",
            "(",
            ")",
            ",",
            ";",
            "--",
            "/*",
            "*/",
            ".",
            "x'",
            "\n",
            "\0",
            "\uD83D",
            "\uD83D\uDE00",
            "NULL",
            "PRIMARY",
            "UNIQUE",
            " 99999999999999999999 ",
            "1e",
            "-",
            "CREATE ",
            "TABLE ",
            "PARTITION ON TABLE ",
            "\u00a0",
            "\uFEFF"
        };
        int at = random.nextInt(text.length() + 1);
        int to = Math.min(text.length(), at + random.nextInt(12));
        switch (random.nextInt(5)) {
            case 0 -> text.delete(at, to);
            case 1 -> text.insert(at, pieces[random.nextInt(pieces.length)]);
            case 2 -> text.insert(random.nextInt(text.length() + 1), text.substring(at, to));
            case 3 -> text.replace(at, to, pieces[random.nextInt(pieces.length)]);
            default -> text.insert(at, (char) random.nextInt(0x10000));
        }
        if (text.isEmpty()) {
            text.append(' ');
        }
    }
}
