package io.reprise.session;

import java.util.HashMap;
import java.util.Map;

/** The named statements of a session: those of PREPARE and of the protocol's Parse, which share their names. Owned by the session. */
public final class PreparedStatements {
    private static final int MOST = 10_000;

    private final Map<String, Prepared> statements = new HashMap<>();

    /** Throws if a new statement can't have this name. The empty name may be taken again and again. */
    public void checkNew(String name) {
        if (!name.isEmpty() && statements.containsKey(name)) {
            throw new SessionException("42P05", "prepared statement \"" + name + "\" already exists");
        }
        if (statements.size() >= MOST) {
            throw new SessionException(
                    SqlStates.LIMIT_EXCEEDED, "the session has " + MOST + " prepared statements already");
        }
    }

    /** Adds a statement; null: an empty one. */
    public void put(String name, Prepared prepared) {
        statements.put(name, prepared);
    }

    /** The statement of this name; null: an empty one. */
    public Prepared find(String name) {
        if (!statements.containsKey(name)) {
            throw new SessionException(
                    SqlStates.UNKNOWN_STATEMENT, "prepared statement \"" + name + "\" does not exist");
        }
        return statements.get(name);
    }

    /** The same, or null if there is none. */
    public Prepared peek(String name) {
        return statements.get(name);
    }

    /** Removes a statement, if there is one. */
    public void remove(String name) {
        statements.remove(name);
    }

    /** DEALLOCATE. */
    Answer deallocate(ClientStatement statement) {
        int at = statement.word(1).equals("PREPARE") ? 2 : 1;
        if (statement.word(at).equals("ALL")) {
            clear();
            return Answer.done("DEALLOCATE ALL");
        }
        String name = SettingStatements.name(statement, at);
        find(name);
        remove(name);
        return Answer.done("DEALLOCATE");
    }

    void clear() {
        statements.clear();
    }
}
