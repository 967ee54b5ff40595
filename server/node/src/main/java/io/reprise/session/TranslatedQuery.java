package io.reprise.session;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The tokens of a query and the text that is made of them so far. A cast or an operator is written behind its left operand, so the
 * text keeps the place of each token, by which an operand is taken back.
 */
final class TranslatedQuery {
    private final List<Token> tokens;
    private final StringBuilder sql = new StringBuilder();

    /** The place in the text of each token written. */
    private final int[] places;

    /** The first token of each cast's or subscript's operand, by its last token. */
    private final Map<Integer, Integer> firstOfCasts = new HashMap<>();

    private int operandFirst;

    TranslatedQuery(List<Token> tokens) {
        this.tokens = tokens;
        places = new int[tokens.size()];
    }

    List<Token> tokens() {
        return tokens;
    }

    /** The number of tokens before the one that marks the end. */
    int length() {
        return tokens.size() - 1;
    }

    Token token(int index) {
        return tokens.get(Math.min(index, tokens.size() - 1));
    }

    /** The next token's text begins here. */
    void begin(int index) {
        places[index] = sql.length();
    }

    /** Tokens that were translated together with an earlier one have its place. */
    void share(int index, int next) {
        for (int i = index + 1; i < next; i++) {
            places[i] = places[index];
        }
    }

    /** Writes the text of one token, apart from the one before unless both are signs side by side. Returns the next index. */
    int put(int index, String text) {
        boolean joined = index > 0
                && token(index).kind() == Token.Kind.SIGN
                && token(index - 1).kind() == Token.Kind.SIGN
                && token(index - 1).end() == token(index).start();
        if (!joined) {
            sql.append(' ');
            places[index] = sql.length();
        }
        sql.append(text);
        return index + 1;
    }

    TranslatedQuery append(String text) {
        sql.append(text);
        return this;
    }

    TranslatedQuery append(char sign) {
        sql.append(sign);
        return this;
    }

    /** Takes the text from a token on back. */
    String takeFrom(int index) {
        String taken = sql.substring(places[index]);
        sql.setLength(places[index]);
        return taken;
    }

    /** Takes the operand before a token back from the output: a name with its qualifiers, a literal, or a call. */
    String operand(int index) {
        int first = firstOfCasts.getOrDefault(index - 1, index - 1);
        if (first == index - 1 && token(first).isSign(')')) {
            int depth = 0;
            do {
                depth += token(first).isSign(')') ? 1 : token(first).isSign('(') ? -1 : 0;
                first--;
            } while (depth > 0 && first > 0);
            first++;
            if (first > 0 && token(first - 1).kind() == Token.Kind.WORD && isFunction(token(first - 1))) {
                first--;
            }
        }
        while (first >= 2 && token(first - 1).isSign('.')) {
            first -= 2;
        }
        operandFirst = first;
        return takeFrom(first).strip();
    }

    private static boolean isFunction(Token token) {
        return switch (token.text().toUpperCase(Locale.ROOT)) {
            case "AND", "OR", "NOT", "IN", "WHERE", "ON", "SELECT", "WHEN", "THEN", "ELSE" -> false;
            default -> true;
        };
    }

    /** The first token of the operand that was taken back last. */
    int operandFirst() {
        return operandFirst;
    }

    /** The tokens from one to another are an operand of what follows. */
    void isOperand(int first, int last) {
        firstOfCasts.put(last, first);
    }

    /** The index behind the next sign of a kind. */
    int after(int index, char sign) {
        int at = index;
        while (!token(at).isSign(sign) && token(at).kind() != Token.Kind.END) {
            at++;
        }
        return Math.min(at + 1, tokens.size() - 1);
    }

    /** The place of the parenthesis that closes the one at a place. */
    int closing(int open) {
        int depth = 0;
        int at = open;
        while (token(at).kind() != Token.Kind.END) {
            depth += token(at).isSign('(') ? 1 : token(at).isSign(')') ? -1 : 0;
            if (depth == 0) {
                return at;
            }
            at++;
        }
        return tokens.size() - 2;
    }

    /** The place of the parenthesis that is open before a place. */
    int open(int index) {
        int depth = 0;
        for (int at = index - 1; at >= 0; at--) {
            depth += token(at).isSign(')') ? 1 : token(at).isSign('(') ? -1 : 0;
            if (depth < 0) {
                return at;
            }
        }
        return 0;
    }

    @Override
    public String toString() {
        return sql.toString();
    }
}
