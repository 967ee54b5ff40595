package io.reprise.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The statements about the session itself: SET, SHOW, RESET, DISCARD, and those that clients send by habit and that do nothing here. */
final class SettingStatements {
    private final SessionSettings settings;
    private final Transaction transaction;

    SettingStatements(SessionSettings settings, Transaction transaction) {
        this.settings = settings;
        this.transaction = transaction;
    }

    /** The columns of SHOW; empty for other statements. */
    static List<ResultColumn> columns(ClientStatement statement) {
        if (!statement.word(0).equals("SHOW")) {
            return List.of();
        }
        if (statement.word(1).equals("ALL")) {
            return List.of(
                    new ResultColumn("name", PgType.TEXT),
                    new ResultColumn("setting", PgType.TEXT),
                    new ResultColumn("description", PgType.TEXT));
        }
        return List.of(new ResultColumn(shown(statement), PgType.TEXT));
    }

    private static String shown(ClientStatement statement) {
        if (statement.word(1).equals("TRANSACTION")) {
            return "transaction_isolation";
        }
        if (statement.word(1).equals("TIME") && statement.word(2).equals("ZONE")) {
            return "TimeZone";
        }
        if (statement.word(1).equals("SESSION") && statement.word(2).equals("AUTHORIZATION")) {
            return "session_authorization";
        }
        return setting(statement, 1).name;
    }

    /** Runs a statement. */
    Answer run(ClientStatement statement) {
        return switch (statement.word(0)) {
            case "SET" -> set(statement);
            case "SHOW" -> show(statement);
            case "RESET" -> reset(statement);
            case "UNLISTEN", "ANALYZE", "VACUUM", "CHECKPOINT", "REINDEX", "CLUSTER" -> Answer.done(statement.word(0));
            case "COMMENT", "GRANT", "REVOKE" -> Answer.done(statement.word(0));
            case "ALTER" -> Answer.done(DdlNotices.tag(statement));
            default -> throw unknown(statement);
        };
    }

    /** The refusal of a statement that a session does not take. */
    static SessionException unknown(ClientStatement statement) {
        String word = statement.word(0);
        return switch (word) {
            case "DO", "SECURITY", "IMPORT", "REASSIGN", "REFRESH", "LOAD" ->
                SessionException.unsupported(word + " is not supported");
            case "LISTEN", "NOTIFY" ->
                new SessionException(
                        SqlStates.NOT_SUPPORTED,
                        word + " is not supported",
                        "Committed changes are told by \"reprise changes --follow\".",
                        0);
            case "PREPARE" -> SessionException.unsupported("two-phase commit is not supported");
            default ->
                new SessionException(
                        SqlStates.SYNTAX_ERROR,
                        "syntax error at or near \""
                                + statement.tokens().getFirst().text() + "\"",
                        "",
                        statement.offset() + 1);
        };
    }

    /** The name of a setting, and the place behind it. */
    private record Setting(String name, int end) {}

    private static Setting setting(ClientStatement statement, int at) {
        StringBuilder name = new StringBuilder(name(statement, at));
        int end = at + 1;
        while (statement.tokens().get(end).isSign('.')) {
            name.append('.').append(name(statement, end + 1));
            end += 2;
        }
        return new Setting(name.toString(), end);
    }

    /** The name at a place: a word in lower case, or a quoted name. */
    static String name(ClientStatement statement, int at) {
        Token token = statement.tokens().get(Math.min(at, statement.tokens().size() - 1));
        return switch (token.kind()) {
            case WORD -> token.text().toLowerCase(Locale.ROOT);
            case QUOTED_NAME -> token.text();
            default ->
                throw SessionException.syntax("expected a name", token.start()).movedBy(statement.offset());
        };
    }

    private Answer set(ClientStatement statement) {
        int at = 1;
        boolean local = false;
        if (statement.word(at).equals("LOCAL")) {
            local = true;
            at++;
        } else if (statement.word(at).equals("SESSION")) {
            at++;
        }
        switch (statement.word(at)) {
            case "CHARACTERISTICS" ->
                isReadOnly(statement)
                        .ifPresent(only -> settings.set("default_transaction_read_only", only ? "on" : "off", false));
            case "TRANSACTION" -> isReadOnly(statement).ifPresent(transaction::readOnly);
            case "TIME" -> settings.set("TimeZone", value(statement, at + 2), local);
            case "NAMES" -> settings.set("client_encoding", value(statement, at + 1), local);
            case "AUTHORIZATION", "ROLE" -> {
                // Users are those of the node; a session keeps its own.
            }
            default -> assign(statement, setting(statement, at), local);
        }
        return Answer.done("SET");
    }

    /** {@code set_config}, whose value is the new one. */
    Answer setConfig(Bound bound) {
        String name = bound.arguments()[0].toString();
        boolean local = SessionSettings.isOn(bound.arguments()[2].toString(), true);
        settings.set(name, bound.arguments()[1].toString(), local);
        List<Object[]> rows = new ArrayList<>();
        rows.add(new Object[] {settings.value(name)});
        return Answer.of("SELECT", bound.prepared().columns(), rows);
    }

    private void assign(ClientStatement statement, Setting setting, boolean local) {
        boolean assigns = statement.tokens().get(setting.end).isSign('=')
                || statement.word(setting.end).equals("TO");
        if (!assigns) {
            throw SessionException.syntax(
                            "expected TO or = behind the setting",
                            statement.tokens().get(setting.end).start())
                    .movedBy(statement.offset());
        }
        if (statement.word(setting.end + 1).equals("DEFAULT")) {
            settings.reset(setting.name);
        } else {
            String value = setting.name.equalsIgnoreCase("search_path")
                    ? path(statement, setting.end + 1)
                    : value(statement, setting.end + 1);
            settings.set(setting.name, value, local);
        }
    }

    /** A list of schemas, in which names that need quotes keep them. */
    private static String path(ClientStatement statement, int from) {
        value(statement, from);
        return statement.tokens().subList(from, statement.tokens().size() - 1).stream()
                .map(token -> switch (token.kind()) {
                    case QUOTED_NAME -> SystemFunctions.quoteName(token.text());
                    case WORD -> token.text().toLowerCase(Locale.ROOT);
                    default -> token.isSign(',') ? ", " : token.text();
                })
                .collect(Collectors.joining());
    }

    private static String value(ClientStatement statement, int from) {
        StringBuilder value = new StringBuilder();
        List<Token> tokens = statement.tokens();
        for (int i = from; i < tokens.size() - 1; i++) {
            Token token = tokens.get(i);
            value.append(token.isSign(',') ? ", " : token.text());
        }
        if (from >= tokens.size() - 1) {
            throw SessionException.syntax("expected a value", tokens.getLast().start())
                    .movedBy(statement.offset());
        }
        return value.toString();
    }

    /** Whether a list of transaction modes has READ ONLY or READ WRITE. */
    static Optional<Boolean> isReadOnly(ClientStatement statement) {
        for (int i = 1; i < statement.tokens().size() - 1; i++) {
            if (statement.word(i).equals("READ")) {
                switch (statement.word(i + 1)) {
                    case "ONLY" -> {
                        return Optional.of(true);
                    }
                    case "WRITE" -> {
                        return Optional.of(false);
                    }
                    default -> {}
                }
            }
        }
        return Optional.empty();
    }

    private Answer show(ClientStatement statement) {
        List<Object[]> rows = new ArrayList<>();
        if (statement.word(1).equals("ALL")) {
            settings.all().forEach((name, value) -> rows.add(new Object[] {name, value, ""}));
        } else {
            rows.add(new Object[] {settings.value(shown(statement))});
        }
        return Answer.of("SHOW", columns(statement), rows);
    }

    private Answer reset(ClientStatement statement) {
        if (statement.word(1).equals("ALL")) {
            settings.resetAll();
        } else if (!statement.word(1).equals("ROLE") && !statement.word(1).equals("SESSION")) {
            settings.reset(setting(statement, 1).name);
        }
        return Answer.done("RESET");
    }
}
