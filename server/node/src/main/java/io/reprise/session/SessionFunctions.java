package io.reprise.session;

import io.reprise.catalog.SearchPath;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Function;

/** The functions of the session, as literals of SQL: {@code version()}, {@code current_database()} and their like. */
final class SessionFunctions implements Function<String, String> {
    private final SessionSettings settings;
    private final SessionEngine engine;
    private final String user;
    private final String database;
    private final int processId;

    SessionFunctions(SessionSettings settings, SessionEngine engine, String user, String database, int processId) {
        this.settings = settings;
        this.engine = engine;
        this.user = user;
        this.database = database;
        this.processId = processId;
    }

    /** The server's version as PostgreSQL's clients read it. */
    String version() {
        return "PostgreSQL " + settings.value("server_version") + " (" + engine.software() + ")";
    }

    String user() {
        return user;
    }

    SortedMap<String, String> settings() {
        return settings.all();
    }

    SearchPath searchPath() {
        return settings.searchPath();
    }

    String database() {
        return database;
    }

    /** The index behind {@code current_setting('name')} with or without its second argument; {@code index}: there is none. */
    static int behindSetting(List<Token> tokens, int index) {
        boolean called = tokens.get(index).isWord("current_setting")
                && tokens.get(index + 1).isSign('(')
                && tokens.get(index + 2).kind() == Token.Kind.STRING;
        if (!called) {
            return index;
        }
        int close = tokens.get(index + 3).isSign(',') ? index + 5 : index + 3;
        return close < tokens.size() && tokens.get(close).isSign(')') ? close + 1 : index;
    }

    /** The value of that setting, as a literal. */
    String setting(List<Token> tokens, int index) {
        String name = tokens.get(index + 2).text();
        boolean missingOk = tokens.get(index + 3).isSign(',')
                && SessionSettings.isOn(tokens.get(index + 4).text(), true);
        return missingOk && settings.find(name).isEmpty() ? "NULL" : Translator.literal(settings.value(name));
    }

    @Override
    public String apply(String name) {
        return switch (name) {
            case "VERSION" -> Translator.literal(version());
            case "CURRENT_DATABASE", "CURRENT_CATALOG" -> Translator.literal(database);
            case "CURRENT_SCHEMA" ->
                searchPath().schemas().stream()
                        .filter(engine.catalog()::hasSchema)
                        .findFirst()
                        .map(schema -> Translator.literal(Names.turned(schema)))
                        .orElse("NULL");
            case "CURRENT_USER", "SESSION_USER", "CURRENT_ROLE" -> Translator.literal(user);
            case "PG_BACKEND_PID" -> Integer.toString(processId);
            case "PG_IS_IN_RECOVERY" -> "FALSE";
            default -> null;
        };
    }
}
