package io.reprise.engine;

import io.reprise.engine.Callers.Answer;
import io.reprise.engine.Callers.Call;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.Randomness;
import java.util.ArrayList;
import java.util.List;

/** Draws what is done to a {@link Medley} next: calls, one or several at once, statements, changes of the schema. */
final class RandomSteps {
    private static final int IDS = 12;
    private static final int CODES = 7;
    private static final int LONGEST_CODE = 500;
    private static final int CLIENTS = 3;

    private final Randomness random;
    private final boolean chance;
    private final int mostAtOnce;
    private final ShiftingTables tables;
    private final NumberedCalls numbered;
    private final List<String> added = new ArrayList<>();
    private boolean indexed;
    private boolean tagged;
    private boolean forgetful = true;
    private int names;

    /**
     * Steps.
     *
     * @param chance whether they may depend on the transaction's own time and randomness
     * @param mostAtOnce the largest number of calls made at once
     */
    RandomSteps(Randomness random, boolean chance, int mostAtOnce) {
        this.random = random;
        this.chance = chance;
        this.mostAtOnce = mostAtOnce;
        tables = new ShiftingTables(random, chance);
        numbered = new NumberedCalls(random, CLIENTS);
    }

    /** The calls of the steps that had numbers. */
    NumberedCalls numbered() {
        return numbered;
    }

    /** Something to do. */
    interface Action {
        /** Does it; null if there is nothing to be told of it. */
        Reply on(Reprise engine);
    }

    /** Something to do, the same on any engine: on one, and then on others. */
    record Step(String what, Action action, CallsAtOnce calls) {
        Step(String what, Action action) {
            this(what, action, null);
        }

        /** Does it; returns what came of it, and where the engines are alike in everything what it wrote. */
        String run(Reprise engine, Callers callers, boolean alike) {
            if (calls != null) {
                return calls.run(engine, callers).stream()
                        .map(alike ? Answer::shownWithHash : Answer::shown)
                        .toList()
                        .toString();
            }
            try {
                Reply response = action.on(engine);
                if (response == null) {
                    return "done";
                }
                String result = switch (response.kind()) {
                    case INTEGER -> Long.toString(response.longValue());
                    default -> response.kind().name();
                };
                return result + (alike ? " " + Long.toHexString(response.writeHash()) : "");
            } catch (ProcedureException e) {
                return e.code().name();
            }
        }
    }

    Step next() {
        int dice = random.nextInt(100);
        if (dice < 20) {
            return near();
        }
        if (dice < 30) {
            return far();
        }
        if (dice < 50) {
            return calls();
        }
        if (dice < 70) {
            return statement();
        }
        if (dice < 85) {
            return tables.write();
        }
        return dice < 93 ? tables.definition() : definition();
    }

    /** Simultaneous calls, numbered or not. */
    private Step calls() {
        numbered.begin();
        List<Call> calls = new ArrayList<>();
        for (int i = random.nextInt(mostAtOnce); i >= 0; i--) {
            calls.add(call(random.nextInt(IDS), random.nextLong() >>> 1));
        }
        return new Step("calls " + calls, null, new CallsAtOnce(calls, numbered));
    }

    private Call call(long id, long number) {
        String code = code(random.nextInt(CODES));
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> call("Near", id, number, text(), false);
            case 3, 4, 5 -> call("Written", code, number, text(), raw(), false);
            case 6 -> call("Flag", code, number);
            case 7 -> call("Share", code, number);
            case 8 -> call("Tell", code, number);
            case 9 -> call(random.nextInt(2) == 0 ? "Hush" : "Listed", code, number);
            case 10 -> call("Move", id, (long) random.nextInt(IDS), number & 255);
            default -> call("Far", new long[] {id, random.nextInt(IDS)}, number, text());
        };
    }

    private Call call(String procedure, Object... arguments) {
        int site = random.nextInt(8);
        return random.nextInt(4) == 0
                ? new Call(site, 0, 0, 0, procedure, arguments)
                : numbered.next(site, procedure, arguments);
    }

    private Step near() {
        long id = random.nextInt(IDS);
        long number = random.nextLong() >>> 1;
        String text = text();
        if (random.nextInt(3) == 0) {
            String code = code(random.nextInt(CODES));
            byte[] raw = raw();
            return new Step("Written " + number, engine -> engine.call("Written", code, number, text, raw, chance));
        }
        return new Step("Near " + id + " " + number, engine -> engine.call("Near", id, number, text, chance));
    }

    private Step far() {
        long[] ids = {random.nextInt(IDS), random.nextInt(IDS), random.nextInt(IDS)};
        long number = random.nextLong() >>> 1;
        if (random.nextInt(5) == 0) {
            return new Step("Filled " + number, engine -> engine.call("Filled", number));
        }
        String text = text();
        return new Step("Far " + number, engine -> engine.call("Far", ids, number, text));
    }

    private Step statement() {
        long id = random.nextInt(IDS);
        int n = random.nextInt(16);
        String text = text();
        return switch (random.nextInt(tagged ? 15 : 14)) {
            case 0 -> sql("INSERT INTO account (id, balance, owner) VALUES (?, ?, ?)", id, n, text);
            case 1 -> sql("UPDATE account SET owner = ?", text);
            case 2 -> sql("DELETE FROM item WHERE line = ?", n);
            case 3 -> sql("INSERT INTO event (id, n) VALUES (?, ?)", id, n);
            case 4 -> n < 4 ? sql("TRUNCATE TABLE event") : sql("UPDATE event SET n = n + 1 WHERE n = ?", n);
            case 5 -> n < 4 ? sql("TRUNCATE TABLE memo") : sql("INSERT INTO memo (n) VALUES (?)", n);
            case 6 -> sql("UPSERT INTO setting (name, val) VALUES (?, ?)", "name " + n, id);
            case 7 -> new Step("Forget " + id, engine -> engine.call("Forget", id));
            case 8 -> sql("UPDATE item SET text = ?, amount = amount * 2 WHERE id = ? AND line > ?", text, id, n);
            case 9 -> n < 4 ? sql("TRUNCATE TABLE " + truncated(n)) : sql("DELETE FROM doc WHERE part = ?", n);
            case 10 -> sql("UPDATE doc SET tiny = tiny + 40, flag = ? WHERE due > DATE '2024-10-06'", n > 8);
            case 11 -> sql("UPDATE doc SET raw = ?, note = NULL WHERE code = ?", raw(), code(1 + n % (CODES - 1)));
            case 12 -> sql("INSERT INTO doc (code, part, made) VALUES (?, ?, ?)", text, n, 1_000_000L * n);
            case 13 -> chance ? sql("INSERT INTO doc (code, part) VALUES (?, ?)", text, n) : sql("DELETE FROM memo");
            default -> new Step("Tag " + id, engine -> engine.call("Tag", id, text.substring(0, n)));
        };
    }

    private static String truncated(int which) {
        return List.of("account", "item", "doc", "setting").get(which);
    }

    static Step sql(String text, Object... arguments) {
        return new Step(text, engine -> engine.sql(text, arguments));
    }

    private Step definition() {
        int dice = random.nextInt(7);
        if (dice == 5) {
            forgetful = !forgetful;
            return ddl(forgetful ? Medley.FORGET : "DROP PROCEDURE Forget");
        }
        if (dice == 6 && tagged) {
            tagged = false;
            return ddl("DROP PROCEDURE Tag");
        }
        if (dice < 2) {
            int version = random.nextInt(2);
            String script = tagged ? "" : "CREATE PROCEDURE Tag PARTITION ON TABLE account COLUMN id FROM CLASS Tag";
            tagged = true;
            return new Step("deploy version " + version, engine -> {
                engine.deploy(Medley.jar(version), script);
                return null;
            });
        }
        if (dice == 2) {
            indexed = !indexed;
            return ddl(indexed ? "CREATE INDEX by_n ON event (n, what)" : "DROP INDEX by_n");
        }
        if (dice == 3 && !added.isEmpty()) {
            return ddl("ALTER TABLE account DROP COLUMN " + added.removeLast());
        }
        return add();
    }

    private Step add() {
        String name = "c" + names++;
        added.add(name);
        return ddl("ALTER TABLE account ADD COLUMN " + name + " VARCHAR(90) DEFAULT '" + name + "'");
    }

    static Step ddl(String script) {
        return new Step(script, engine -> {
            engine.ddl(script);
            return null;
        });
    }

    /** Sometimes too long for some columns. */
    private String text() {
        int most = random.nextInt(12) == 0 ? 30 : 12;
        return "abcdefghijklmnopqrst".repeat(1 + random.nextInt(most));
    }

    /**
     * A partitioning value: empty, short, and so long that it does not lie in its row. There may be so many rows of the empty one that
     * whole ones would not fit into a record of the log.
     */
    private static String code(int which) {
        return RandomValues.text(which, LONGEST_CODE);
    }

    private byte[] raw() {
        return random.nextInt(4) == 0 ? null : new byte[random.nextInt(200)];
    }
}
