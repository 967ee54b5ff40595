package io.reprise.sql.plan;

import java.io.Reader;
import java.time.YearMonth;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;
import org.apache.calcite.sql.parser.SqlParserImplFactory;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.parser.impl.SimpleCharStream;
import org.apache.calcite.sql.parser.impl.SqlParserImpl;
import org.apache.calcite.sql.parser.impl.SqlParserImplConstants;
import org.apache.calcite.sql.parser.impl.SqlParserImplTokenManager;
import org.apache.calcite.sql.parser.impl.Token;
import org.apache.calcite.util.SourceStringReader;

/**
 * What Calcite's grammar lacks. The parser is given other tokens than the text has, at the places of the words that it would
 * refuse, so that places in messages stay right.
 *
 * <p>{@code SELECT 1 WHERE FALSE}: Calcite has WHERE, GROUP BY and HAVING only behind FROM. Where a SELECT comes to one of
 * these without it, {@code FROM (VALUES (0)) AS "$NOTHING"} comes first.
 *
 * <p>{@code UPDATE t SET a = DEFAULT}: Calcite has DEFAULT only in VALUES. It becomes a name that {@link ColumnDefaults}
 * replaces by the column's default.
 */
final class ExtendedGrammar extends SqlParserImpl {
    static final SqlParserImplFactory FACTORY = new SqlParserImplFactory() {
        @Override
        public SqlAbstractParserImpl getParser(Reader text) {
            return new ExtendedGrammar(new Tokens(new Text(text)));
        }
    };
    private static final String NOTHING = "$NOTHING";

    /** Characters of a binary literal that the parser is not given. */
    private static final int LONG_LITERAL = 1000;

    private static final Pattern WRITTEN_DAY = Pattern.compile("^'(\\d{4})-(\\d{1,2})-(\\d{1,2})");

    /** No column is called so, since nobody can write it. */
    private static final String DEFAULT_NAME = "DEFAULT\0";

    private final Tokens tokens;

    private ExtendedGrammar(Tokens tokens) {
        super(tokens);
        this.tokens = tokens;
    }

    @Override
    public void setTabSize(int tabSize) {
        tokens.text.setTabSize(tabSize);
    }

    @Override
    public SqlNode parseSqlStmtEof() throws Exception {
        SqlNode statement = super.parseSqlStmtEof();
        return tokens.binaries.isEmpty() ? statement : BinaryLiteral.replaced(statement, tokens.binaries);
    }

    /** The characters of a statement, in a buffer for all of it: a buffer that has to grow does so in small steps. */
    private static final class Text extends SimpleCharStream {
        private static final int LEAST_BUFFER = 4096;

        private Text(Reader text) {
            super(text, 1, 1, bufferSize(text));
        }

        private static int bufferSize(Reader text) {
            return text instanceof SourceStringReader source
                    ? Math.max(LEAST_BUFFER, source.getSourceString().length() + 1)
                    : LEAST_BUFFER;
        }

        @Override
        protected void setTabSize(int tabSize) {
            super.setTabSize(tabSize);
        }
    }

    /** Whether a query takes all columns of what stands for no table. */
    static boolean selectsAllOfNothing(SqlSelect select) {
        return select.getFrom() instanceof SqlCall from
                && from.getKind() == SqlKind.AS
                && from.operand(1) instanceof SqlIdentifier alias
                && alias.getSimple().equals(NOTHING)
                && select.getSelectList().stream().anyMatch(ExtendedGrammar::isStar);
    }

    /** Whether an expression is DEFAULT, where UPDATE sets a column. */
    static boolean isDefault(SqlNode expression) {
        return expression instanceof SqlIdentifier name
                && name.isSimple()
                && name.getSimple().equals(DEFAULT_NAME);
    }

    private static boolean isStar(SqlNode item) {
        return item instanceof SqlIdentifier name && name.isStar() && name.names.size() == 1;
    }

    private static final class Tokens extends SqlParserImplTokenManager implements SqlParserImplConstants {
        /** For each parenthesis that is open, whether a SELECT in it has had no FROM yet. */
        private final Deque<Boolean> withoutFrom = new ArrayDeque<>(List.of(false));

        private final Deque<Token> waiting = new ArrayDeque<>();
        private int before = EOF;

        /** Whether the statement is an UPDATE, and whether it is at what it sets. */
        private boolean updates;

        private boolean sets;

        private final Text text;

        /** The bytes of long binary literals, which the parser is given as empty ones. */
        private final Map<SqlParserPos, byte[]> binaries = new HashMap<>();

        private Tokens(Text text) {
            super(text);
            this.text = text;
        }

        @Override
        public Token getNextToken() {
            if (!waiting.isEmpty()) {
                return waiting.poll();
            }
            Token token = super.getNextToken();
            updates |= before == EOF && token.kind == UPDATE;
            switch (token.kind) {
                case SET -> sets = updates;
                case DEFAULT_ -> {
                    if (sets && before == EQ && withoutFrom.size() == 1) {
                        token.kind = QUOTED_IDENTIFIER;
                        token.image = '"' + DEFAULT_NAME + '"';
                    }
                }
                case QUOTED_STRING -> {
                    if (before == DATE || before == TIMESTAMP) {
                        checkDay(token);
                    }
                }
                case BINARY_STRING_LITERAL -> keepBytes(token);
                case LPAREN -> withoutFrom.push(false);
                case RPAREN -> {
                    if (withoutFrom.size() > 1) {
                        withoutFrom.pop();
                    }
                }
                case SELECT -> inside(true);
                // IS DISTINCT FROM compares.
                case FROM -> inside(withoutFrom.peek() && before == DISTINCT);
                case ORDER, LIMIT, OFFSET, FETCH -> inside(false);
                case WHERE, GROUP, HAVING -> {
                    sets &= withoutFrom.size() > 1;
                    if (withoutFrom.peek() && before != WITHIN) {
                        inside(false);
                        return completed(token);
                    }
                }
                default -> {}
            }
            before = token.kind;
            return token;
        }

        /** Calcite reads literals by the Julian calendar before 1582, in which 1500 has a 29th of February; then it means the next day. */
        private static void checkDay(Token literal) {
            Matcher day = WRITTEN_DAY.matcher(literal.image);
            if (!day.find()) {
                return;
            }
            int month = Integer.parseInt(day.group(2));
            int most = month < 1 || month > 12
                    ? 0
                    : YearMonth.of(Integer.parseInt(day.group(1)), month).lengthOfMonth();
            int number = Integer.parseInt(day.group(3));
            if (number < 1 || number > most) {
                throw PlanningErrors.at(
                        new SqlParserPos(literal.beginLine, literal.beginColumn),
                        "there is no day " + day.group().substring(1));
            }
        }

        /** Keeps a long literal's bytes from the parser; one that is invalid is left to it. */
        private void keepBytes(Token literal) {
            String image = literal.image;
            if (image.length() < LONG_LITERAL) {
                return;
            }
            try {
                byte[] bytes = HexFormat.of().parseHex(image, image.indexOf('\'') + 1, image.length() - 1);
                binaries.put(new SqlParserPos(literal.beginLine, literal.beginColumn), bytes);
                literal.image = "x''";
            } catch (IllegalArgumentException invalid) {
                // The parser says what is wrong with it.
            }
        }

        private void inside(boolean selectWithoutFrom) {
            withoutFrom.pop();
            withoutFrom.push(selectWithoutFrom);
        }

        private Token completed(Token word) {
            before = word.kind;
            add(word, FROM, "FROM");
            add(word, LPAREN, "(");
            add(word, VALUES, "VALUES");
            add(word, LPAREN, "(");
            add(word, UNSIGNED_INTEGER_LITERAL, "0");
            add(word, RPAREN, ")");
            add(word, RPAREN, ")");
            add(word, AS, "AS");
            add(word, QUOTED_IDENTIFIER, "\"" + NOTHING + "\"");
            waiting.add(word);
            return waiting.poll();
        }

        private void add(Token place, int kind, String image) {
            Token token = new Token();
            token.kind = kind;
            token.image = image;
            token.beginLine = place.beginLine;
            token.beginColumn = place.beginColumn;
            token.endLine = place.endLine;
            token.endColumn = place.endColumn;
            waiting.add(token);
        }
    }
}
