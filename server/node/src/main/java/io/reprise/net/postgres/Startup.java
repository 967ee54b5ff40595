package io.reprise.net.postgres;

import io.reprise.session.SessionException;
import io.reprise.session.SqlStates;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The first message of a connection.
 *
 * @param code the version of the protocol, or the code of a request
 * @param body the bytes behind it
 */
record Startup(int code, byte[] body) {
    static final int SSL_REQUEST = 80_877_103;
    static final int GSS_REQUEST = 80_877_104;
    static final int CANCEL_REQUEST = 80_877_102;

    /** The longest first message. */
    static final int MOST_BYTES = 10_000;

    private static final int MAJOR_SHIFT = 16;
    private static final int MAJOR = 3;

    boolean isSupported() {
        return code >> MAJOR_SHIFT == MAJOR;
    }

    int minor() {
        return code & (1 << MAJOR_SHIFT) - 1;
    }

    /** The parameters by name. */
    SortedMap<String, String> parameters() {
        SortedMap<String, String> parameters = new TreeMap<>();
        BodyReader in = new BodyReader(body);
        String name = in.string();
        while (!name.isEmpty()) {
            parameters.put(name, in.string());
            name = in.string();
        }
        in.end();
        if (parameters.getOrDefault("user", "").isEmpty()) {
            throw new SessionException("28000", "no PostgreSQL user name specified in startup packet");
        }
        return parameters;
    }

    /** The settings in the parameter {@code options}, as {@code PGOPTIONS} gives them: {@code -c name=value} or {@code --name=value}. */
    static SortedMap<String, String> settings(String options) {
        SortedMap<String, String> settings = new TreeMap<>();
        List<String> words = words(options);
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            String setting;
            if (word.equals("-c") && i + 1 < words.size()) {
                setting = words.get(++i);
            } else if (word.startsWith("-c") || word.startsWith("--")) {
                setting = word.substring(2);
            } else {
                throw notASetting(word);
            }
            int equals = setting.indexOf('=');
            if (equals < 1) {
                throw notASetting(word);
            }
            settings.put(setting.substring(0, equals).replace('-', '_'), setting.substring(equals + 1));
        }
        return settings;
    }

    private static SessionException notASetting(String word) {
        return new SessionException(
                SqlStates.SYNTAX_ERROR, "options in the startup packet are -c name=value, but found \"" + word + '"');
    }

    /** The words between blanks; a backslash takes the meaning of what follows it. */
    private static List<String> words(String options) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean open = false;
        for (int i = 0; i < options.length(); i++) {
            char c = options.charAt(i);
            if (c == ' ') {
                if (open) {
                    words.add(word.toString());
                    word.setLength(0);
                }
                open = false;
                continue;
            }
            if (c == '\\' && i + 1 < options.length()) {
                c = options.charAt(++i);
            }
            word.append(c);
            open = true;
        }
        if (open) {
            words.add(word.toString());
        }
        return words;
    }

    /** Options of the protocol that this server does not know. */
    static List<String> unknownOptions(SortedMap<String, String> parameters) {
        List<String> unknown = new ArrayList<>();
        for (String name : parameters.keySet()) {
            if (name.startsWith("_pq_.")) {
                unknown.add(name);
            }
        }
        return unknown;
    }
}
