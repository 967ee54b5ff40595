package io.reprise.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A {@link SweepScenario}'s database as it should be. */
final class SweepModel {
    private record Account(long balance, String owner, String note) {}

    private final TreeMap<Long, Account> accounts = new TreeMap<>();
    private final TreeMap<String, Long> rates = new TreeMap<>();
    private final List<String> events = new ArrayList<>();
    private int changes;

    SweepModel copy() {
        SweepModel copy = new SweepModel();
        copy.accounts.putAll(accounts);
        copy.rates.putAll(rates);
        copy.events.addAll(events);
        copy.changes = changes;
        return copy;
    }

    /** The number of changes of the schema. */
    int changes() {
        return changes;
    }

    /** The schema's next change. */
    void change() {
        int change = changes++;
        if (change == SweepSchema.ADD_NOTE) {
            accounts.replaceAll((id, account) -> new Account(account.balance, account.owner, "x"));
        } else if (change == SweepSchema.DROP_EVENTS) {
            events.clear();
        }
    }

    private boolean isBetween(int made, int dropped) {
        return changes > made && changes <= dropped;
    }

    boolean hasNotes() {
        return isBetween(SweepSchema.ADD_NOTE, SweepSchema.DROP_NOTE);
    }

    boolean hasTags() {
        return changes > SweepSchema.DEPLOY_TAG;
    }

    boolean hasEvents() {
        return isBetween(SweepSchema.MAKE_EVENTS, SweepSchema.DROP_EVENTS) || changes > SweepSchema.MAKE_EVENTS_AGAIN;
    }

    /** Makes a call. Returns what it returns; nothing if it is rolled back. */
    Optional<Long> apply(SweepCall call) {
        return switch (call.procedure()) {
            case "Put" -> put(call.number(0), call.number(1), call.text(2));
            case "Remove" -> count(accounts.remove(call.number(0)) != null);
            case "Raise" -> raise(call.number(0));
            case "Transfer" -> transfer(call.number(0), call.number(1), call.number(2));
            case "SetRate" -> {
                rates.put(call.text(0), call.number(1));
                yield Optional.of(1L);
            }
            case "AddEvent" -> addEvent(call.number(0), call.number(1), call.text(2));
            case "Note" -> note(call.text(0), call.number(1));
            case "Tag" -> tag(call.number(0), call.text(1));
            default -> throw new IllegalArgumentException(call.procedure());
        };
    }

    private static Optional<Long> count(boolean one) {
        return Optional.of(one ? 1L : 0L);
    }

    private Optional<Long> put(long id, long balance, String owner) {
        Account before = accounts.get(id);
        accounts.put(id, new Account(balance, owner, before == null ? "x" : before.note));
        return Optional.of(1L);
    }

    private Optional<Long> raise(long by) {
        accounts.replaceAll((id, account) -> new Account(account.balance + by, account.owner, account.note));
        return Optional.of((long) accounts.size());
    }

    private Optional<Long> transfer(long from, long to, long amount) {
        Account payer = accounts.get(from);
        if (payer == null || !accounts.containsKey(to) || from != to && payer.balance < amount || payer.balance < 0) {
            return Optional.empty();
        }
        move(from, -amount);
        move(to, amount);
        return Optional.of(accounts.get(from).balance);
    }

    private void move(long id, long amount) {
        accounts.computeIfPresent(
                id, (key, account) -> new Account(account.balance + amount, account.owner, account.note));
    }

    private Optional<Long> addEvent(long id, long n, String what) {
        String more = changes > SweepSchema.MAKE_EVENTS_AGAIN ? "MORE='more' " : "";
        events.add("ID=" + id + " N=" + n + " WHAT='" + what + "' " + more);
        return Optional.of(1L);
    }

    private Optional<Long> note(String note, long id) {
        accounts.computeIfPresent(id, (key, account) -> new Account(account.balance, account.owner, note));
        return count(accounts.containsKey(id));
    }

    private Optional<Long> tag(long id, String owner) {
        int version = changes > SweepSchema.REPLACE_TAG ? 1 : 0;
        accounts.computeIfPresent(
                id, (key, account) -> new Account(account.balance + version + 1, owner + version, account.note));
        return count(accounts.containsKey(id));
    }

    /** The expected result of {@link Dump}. */
    Map<String, List<String>> dump() {
        List<String> accountRows = new ArrayList<>();
        accounts.forEach((id, account) -> accountRows.add("ID=" + id + " BALANCE=" + account.balance + " OWNER='"
                + account.owner + "' " + (hasNotes() ? "NOTE='" + account.note + "' " : "")));
        List<String> rateRows = new ArrayList<>();
        rates.forEach((name, pct) -> rateRows.add("NAME='" + name + "' PCT=" + pct + " "));
        Map<String, List<String>> tables = new TreeMap<>();
        tables.put("ACCOUNT", sorted(accountRows));
        tables.put("RATE", sorted(rateRows));
        if (hasEvents()) {
            tables.put("EVENT", sorted(new ArrayList<>(events)));
        }
        return tables;
    }

    private static List<String> sorted(List<String> rows) {
        Collections.sort(rows);
        return rows;
    }

    /** Everything that an engine can be asked for. */
    record State(Map<String, List<String>> rows, String catalog) {
        static State of(Reprise engine) {
            return new State(Dump.of(engine), SweepSchema.text(engine.catalog()));
        }
    }

    State state() {
        return new State(dump(), SweepSchema.catalogAfter(changes));
    }
}
