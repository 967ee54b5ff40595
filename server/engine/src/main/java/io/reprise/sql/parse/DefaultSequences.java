package io.reprise.sql.parse;

import io.reprise.catalog.Position;
import io.reprise.catalog.Sequence;
import java.util.List;

/**
 * Sequences in the expression of a column's default: NEXTVAL('q') and NEXT VALUE FOR q. They get the catalog's names when the default is
 * defined, so that it draws from the same sequence whatever the search path of an INSERT is.
 */
final class DefaultSequences {
    private DefaultSequences() {}

    /** The expression with the catalog's names of its sequences, found by the search path of the statement. */
    static String named(TokenCursor statement, String expression) {
        List<Token> tokens = Lexer.tokens(expression, Position.START);
        StringBuilder named = new StringBuilder();
        int copied = 0;
        for (int i = 0; i + 2 < tokens.size(); i++) {
            int last;
            String written;
            if (tokens.get(i).isWord("NEXTVAL")
                    && tokens.get(i + 1).isSign('(')
                    && tokens.get(i + 2).kind() == Token.Kind.STRING) {
                last = i + 2;
                String quoted = tokens.get(last).text();
                written = quoted.substring(1, quoted.length() - 1).replace("''", "'");
            } else if (tokens.get(i).isWord("NEXT")
                    && tokens.get(i + 1).isWord("VALUE")
                    && tokens.get(i + 2).isWord("FOR")) {
                last = endOfName(tokens, i + 3);
                written = expression.substring(
                        tokens.get(i + 3).start(), tokens.get(last).end());
            } else {
                continue;
            }
            String next = Sequence.nextValueOf(statement.sequence(written));
            named.append(expression, copied, tokens.get(i).start());
            // The closing parenthesis of NEXTVAL, and a cast in front of it, are the expression's own.
            boolean called = tokens.get(i + 1).isSign('(');
            named.append(next, 1, next.length() - (called ? 2 : 1));
            copied = tokens.get(last).end();
            i = last;
        }
        return named.append(expression, copied, expression.length()).toString();
    }

    /** The last token of a name, which may have a schema in front. */
    private static int endOfName(List<Token> tokens, int first) {
        boolean qualified = first + 2 < tokens.size() && tokens.get(first + 1).isSign('.');
        return Math.min(qualified ? first + 2 : first, tokens.size() - 1);
    }
}
