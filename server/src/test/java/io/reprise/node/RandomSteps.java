package io.reprise.node;

import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.Randomness;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Draws what is done to a {@link Medley} next: calls, statements, changes of the schema. */
final class RandomSteps {
    private static final int IDS = 12;

    private final Randomness random;
    private final boolean chance;
    private final List<String> added = new ArrayList<>();
    private boolean indexed;
    private boolean tagged;
    private int names;

    /** Steps that may depend on the transaction's own time and randomness or not. */
    RandomSteps(Randomness random, boolean chance) {
        this.random = random;
        this.chance = chance;
    }

    /** Something to do, the same on any engine. */
    record Step(String what, Function<Reprise, Response> action) {
        /** Does it; returns what came of it, and where the engines are alike in everything what it wrote. */
        String run(Reprise engine, boolean alike) {
            try {
                Response response = action.apply(engine);
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
        if (dice < 45) {
            return near();
        }
        if (dice < 65) {
            return far();
        }
        if (dice < 88) {
            return statement();
        }
        return definition();
    }

    private Step near() {
        long id = random.nextInt(IDS);
        long number = random.nextLong() >>> 1;
        String text = text();
        return new Step("Near " + id + " " + number, engine -> engine.call("Near", id, number, text, chance));
    }

    private Step far() {
        long[] ids = {random.nextInt(IDS), random.nextInt(IDS), random.nextInt(IDS)};
        long number = random.nextLong() >>> 1;
        String text = text();
        return new Step("Far " + number, engine -> engine.call("Far", ids, number, text));
    }

    private Step statement() {
        long id = random.nextInt(IDS);
        int n = random.nextInt(16);
        String text = text();
        return switch (random.nextInt(tagged ? 10 : 9)) {
            case 0 -> sql("INSERT INTO account (id, balance, owner) VALUES (?, ?, ?)", id, n, text);
            case 1 -> sql("UPDATE account SET owner = ?", text);
            case 2 -> sql("DELETE FROM item WHERE line = ?", n);
            case 3 -> sql("INSERT INTO event (id, n) VALUES (?, ?)", id, n);
            case 4 -> n < 4 ? sql("TRUNCATE TABLE event") : sql("UPDATE event SET n = n + 1 WHERE n = ?", n);
            case 5 -> n < 4 ? sql("TRUNCATE TABLE memo") : sql("INSERT INTO memo (n) VALUES (?)", n);
            case 6 -> sql("UPSERT INTO setting (name, val) VALUES (?, ?)", "name " + n, id);
            case 7 -> new Step("Forget " + id, engine -> engine.call("Forget", id));
            case 8 -> sql("UPDATE item SET text = ?, amount = amount * 2 WHERE id = ? AND line > ?", text, id, n);
            default -> new Step("Tag " + id, engine -> engine.call("Tag", id, text.substring(0, n)));
        };
    }

    private static Step sql(String text, Object... arguments) {
        return new Step(text, engine -> engine.sql(text, arguments));
    }

    private Step definition() {
        int dice = random.nextInt(5);
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

    private static Step ddl(String script) {
        return new Step(script, engine -> {
            engine.ddl(script);
            return null;
        });
    }

    private String text() {
        return "abcdefghijklmnopqrst".repeat(1 + random.nextInt(12));
    }
}
