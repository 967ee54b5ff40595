package io.reprise.session;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.ForeignKey;
import io.reprise.catalog.ForeignKeys;
import io.reprise.catalog.Table;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The command tags of DDL, and notices about its effect that a client of PostgreSQL would not expect. */
final class DdlNotices {
    private DdlNotices() {}

    /** The command tag. */
    static String tag(ClientStatement statement) {
        String verb = statement.word(0);
        int at = 1;
        while (true) {
            String word = statement.word(at);
            switch (word) {
                case "OR", "REPLACE", "UNIQUE", "ORDERED", "HASH", "TEMPORARY", "TEMP" -> at++;
                case "" -> {
                    return verb;
                }
                default -> {
                    return verb + " " + word;
                }
            }
        }
    }

    /** A notice for a table that every partition holds a copy of. */
    static Optional<Notice> of(ClientStatement statement) {
        if (!tag(statement).equals("CREATE TABLE") || isPartitioned(statement)) {
            return Optional.empty();
        }
        int at = statement.word(2).equals("IF") ? 5 : 2;
        List<Token> tokens = statement.tokens();
        Token first = tokens.get(Math.min(at, tokens.size() - 1));
        boolean qualified = tokens.get(Math.min(at + 1, tokens.size() - 1)).isSign('.');
        String name = qualified
                ? first.text()
                        + '.'
                        + tokens.get(Math.min(at + 2, tokens.size() - 1)).text()
                : first.text();
        return Optional.of(Notice.notice("table \"" + name.toLowerCase(Locale.ROOT)
                + "\" is replicated to all partitions: reads are fast, and each write stops all partitions; PARTITION TABLE "
                + name + " ON COLUMN column spreads it"));
    }

    /** Notices for foreign keys that a change has left without being enforced, though they are not declared so. */
    static List<Notice> ofKeys(Catalog before, Catalog after) {
        Map<String, String> known = reasons(before);
        return reasons(after).entrySet().stream()
                .filter(entry -> !entry.getValue().equals(known.get(entry.getKey())))
                .map(entry -> Notice.notice(
                        "foreign key " + entry.getKey() + " is kept, but not enforced: " + entry.getValue()))
                .toList();
    }

    private static Map<String, String> reasons(Catalog catalog) {
        Map<String, String> reasons = new TreeMap<>();
        for (Table table : catalog.tables().values()) {
            for (ForeignKey key : table.foreignKeys()) {
                if (key.enforced()) {
                    ForeignKeys.reasonAgainst(catalog, table, key)
                            .ifPresent(reason -> reasons.put(key.name() + " of table " + table.name(), reason));
                }
            }
        }
        return reasons;
    }

    private static boolean isPartitioned(ClientStatement statement) {
        return statement.tokens().stream().anyMatch(token -> token.isWord("PARTITION") || token.isWord("PARTITIONED"));
    }
}
