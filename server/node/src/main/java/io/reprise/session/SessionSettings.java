package io.reprise.session;

import io.reprise.catalog.SearchPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The settings of a session (SET, SHOW, RESET). Most have no effect; clients set them at login and read them back. Names have no
 * case. A name with a dot may be anything. Owned by the session.
 */
public final class SessionSettings {
    private static final String STATEMENT_TIMEOUT = "statement_timeout";
    private static final Map<String, String> DEFAULTS = defaults();

    /** Settings whose changes a client is told of. */
    private static final List<String> REPORTED = List.of(
            "application_name",
            "client_encoding",
            "DateStyle",
            "default_transaction_read_only",
            "in_hot_standby",
            "integer_datetimes",
            "IntervalStyle",
            "is_superuser",
            "server_encoding",
            "server_version",
            "session_authorization",
            "standard_conforming_strings",
            "TimeZone");

    private static final List<String> FIXED = List.of(
            "in_hot_standby",
            "integer_datetimes",
            "is_superuser",
            "server_encoding",
            "server_version",
            "server_version_num",
            "session_authorization",
            "max_identifier_length",
            "max_index_keys",
            "block_size",
            "lc_collate",
            "lc_ctype");

    private final SortedMap<String, String> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final SortedMap<String, String> atLogin = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    /** Values before SET LOCAL, until the transaction ends. */
    private final SortedMap<String, String> beforeLocal = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    private final List<String> changed = new ArrayList<>();

    /** The value of statement_timeout, which each request needs. */
    private long statementTimeoutMs;

    /** The default settings. */
    public SessionSettings() {
        values.putAll(DEFAULTS);
        atLogin.putAll(DEFAULTS);
    }

    private static Map<String, String> defaults() {
        SortedMap<String, String> map = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        String[] pairs = {
            "application_name",
            "",
            "block_size",
            "8192",
            "bytea_output",
            "hex",
            "check_function_bodies",
            "on",
            "client_encoding",
            "UTF8",
            "client_min_messages",
            "notice",
            "DateStyle",
            "ISO, MDY",
            "default_table_access_method",
            "heap",
            "default_tablespace",
            "",
            "default_transaction_deferrable",
            "off",
            "default_transaction_isolation",
            "serializable",
            "default_transaction_read_only",
            "off",
            "extra_float_digits",
            "1",
            "idle_in_transaction_session_timeout",
            "0",
            "in_hot_standby",
            "off",
            "integer_datetimes",
            "on",
            "IntervalStyle",
            "postgres",
            "is_superuser",
            "off",
            "jit",
            "off",
            "lc_collate",
            "C",
            "lc_ctype",
            "C",
            "lc_messages",
            "C",
            "lc_monetary",
            "C",
            "lc_numeric",
            "C",
            "lc_time",
            "C",
            "lock_timeout",
            "0",
            "max_identifier_length",
            "63",
            "max_index_keys",
            "32",
            "quote_all_identifiers",
            "off",
            "reprise.copy_atomic",
            "on",
            "row_security",
            "on",
            "search_path",
            "\"$user\", public",
            "server_encoding",
            "UTF8",
            "server_version",
            "16.0",
            "server_version_num",
            "160000",
            "session_authorization",
            "reprise",
            "session_replication_role",
            "origin",
            "standard_conforming_strings",
            "on",
            STATEMENT_TIMEOUT,
            "0",
            "synchronize_seqscans",
            "on",
            "synchronous_commit",
            "on",
            "TimeZone",
            "UTC",
            "transaction_isolation",
            "serializable",
            "transaction_read_only",
            "off",
            "work_mem",
            "4MB",
            "xmloption",
            "content"
        };
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(pairs[i], pairs[i + 1]);
        }
        return map;
    }

    /** At the login: sets a value, which RESET goes back to, without a check of fixed ones. */
    public void atLogin(String name, String value) {
        keep(canonical(name), value);
        atLogin.put(canonical(name), value);
    }

    /** Keeps a value under its canonical name. Returns the one before. */
    private String keep(String canonical, String value) {
        if (canonical.equals(STATEMENT_TIMEOUT)) {
            statementTimeoutMs = Durations.ms(canonical, value);
        }
        return values.put(canonical, value);
    }

    /** A value as the client asked for at startup; unknown names are ignored. */
    public void startup(String name, String value) {
        if ((values.containsKey(name) || name.contains(".")) && !isFixed(name)) {
            String checked = checked(name, value);
            keep(canonical(name), checked);
            atLogin.put(canonical(name), checked);
        }
    }

    private String canonical(String name) {
        return DEFAULTS.keySet().stream()
                .filter(name::equalsIgnoreCase)
                .findFirst()
                .orElse(name.toLowerCase(Locale.ROOT));
    }

    private static boolean isFixed(String name) {
        return FIXED.stream().anyMatch(name::equalsIgnoreCase);
    }

    /** The value of a setting. */
    public String value(String name) {
        return find(name).orElseThrow(() -> unknown(name));
    }

    private static SessionException unknown(String name) {
        return new SessionException(SqlStates.UNKNOWN_SETTING, "unrecognized configuration parameter \"" + name + "\"");
    }

    /** The value of a setting; empty if there is none. */
    public Optional<String> find(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** All settings, for SHOW ALL. */
    public SortedMap<String, String> all() {
        return values;
    }

    /** The settings that a client is told of at its login. */
    public static List<String> reported() {
        return REPORTED;
    }

    /**
     * SET.
     *
     * @param local whether it holds until the end of the transaction
     */
    public void set(String name, String value, boolean local) {
        if (!values.containsKey(name) && !name.contains(".")) {
            throw unknown(name);
        }
        if (isFixed(name)) {
            throw new SessionException("55P02", "parameter \"" + name + "\" cannot be changed");
        }
        if (local) {
            beforeLocal.putIfAbsent(canonical(name), values.getOrDefault(name, ""));
        } else {
            beforeLocal.remove(name);
        }
        put(name, checked(name, value));
    }

    private void put(String name, String value) {
        String canonical = canonical(name);
        if (!value.equals(keep(canonical, value)) && REPORTED.contains(canonical)) {
            changed.add(canonical);
        }
    }

    private static String checked(String name, String value) {
        if (name.equalsIgnoreCase("client_encoding")) {
            String plain = value.replaceAll("[^A-Za-z0-9]", "").toUpperCase(Locale.ROOT);
            if (!plain.equals("UTF8") && !plain.equals("UNICODE") && !plain.equals("SQLASCII")) {
                throw new SessionException(
                        SqlStates.INVALID_SETTING,
                        "invalid value for parameter \"client_encoding\": \"" + value + "\"",
                        "The server speaks UTF8 only.",
                        0);
            }
            return "UTF8";
        }
        if (name.equalsIgnoreCase("standard_conforming_strings") && isOff(value)) {
            throw new SessionException(SqlStates.NOT_SUPPORTED, "standard_conforming_strings cannot be turned off");
        }
        if (name.equalsIgnoreCase("DateStyle")) {
            if (!value.toUpperCase(Locale.ROOT).contains("ISO")) {
                throw new SessionException(SqlStates.NOT_SUPPORTED, "DateStyle can only be ISO");
            }
            return "ISO, MDY";
        }
        if (name.equalsIgnoreCase(STATEMENT_TIMEOUT)) {
            return Durations.text(Durations.ms(name, value));
        }
        return value;
    }

    /** The schemas in which names are looked up. */
    SearchPath searchPath() {
        return RelationName.path(value("search_path"));
    }

    /** The longest time that a request may run; 0: no limit. */
    public long statementTimeoutMs() {
        return statementTimeoutMs;
    }

    private static boolean isOff(String value) {
        return value.equalsIgnoreCase("off") || value.equalsIgnoreCase("false") || value.equals("0");
    }

    /** Whether a setting is on. */
    public boolean isOn(String name) {
        return isOn(value(name), false);
    }

    /** Whether a value means that a setting is on; {@code letter}: also t. */
    static boolean isOn(String value, boolean letter) {
        return value.equalsIgnoreCase("on")
                || letter && value.equalsIgnoreCase("t")
                || value.equalsIgnoreCase("true")
                || value.equals("1")
                || value.equalsIgnoreCase("yes");
    }

    /** RESET of one setting. */
    public void reset(String name) {
        value(name);
        if (!isFixed(name)) {
            put(name, atLogin.getOrDefault(name, ""));
        }
    }

    /** RESET ALL. */
    public void resetAll() {
        for (String name : List.copyOf(values.keySet())) {
            if (!isFixed(name)) {
                put(name, atLogin.getOrDefault(name, ""));
            }
        }
    }

    /** The end of a transaction: takes SET LOCAL back. */
    void transactionEnded() {
        beforeLocal.forEach(this::put);
        beforeLocal.clear();
    }

    /** Takes the names of reported settings that have changed. */
    public List<String> takeChanged() {
        List<String> taken = List.copyOf(changed);
        changed.clear();
        return taken;
    }
}
