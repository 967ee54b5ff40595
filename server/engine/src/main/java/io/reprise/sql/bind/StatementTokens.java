package io.reprise.sql.bind;

import io.reprise.sql.grammar.OverridingClause;
import io.reprise.sql.grammar.SimpleCharStream;
import io.reprise.sql.grammar.StatementGrammarConstants;
import io.reprise.sql.grammar.StatementGrammarTokenManager;
import io.reprise.sql.grammar.Token;
import java.time.YearMonth;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * The tokens of a statement, changed where Calcite's grammar refuses or misreads what is written. A token that is put in has
 * the position of the text that it stands for, so positions in messages stay right.
 *
 * <ul>
 *   <li>{@code SELECT 1 WHERE FALSE}: Calcite has WHERE, GROUP BY and HAVING only behind FROM, so {@code FROM (VALUES (0)) AS
 *       "$NOTHING"} is put in front of them.
 *   <li>{@code U&'..'}, {@code E'..'} and {@code N'..'}: Calcite gives these a character set that compares with no other
 *       string. They become plain strings ({@link StringEscapes}).
 *   <li>{@code DATE '12020-01-01'}: Calcite reads years of four digits, by the Julian calendar before 1582. A day that it
 *       misreads becomes a CAST.
 *   <li>{@code j -> 'a'}: Calcite reads a function with a parameter.
 *   <li>{@code INSERT INTO t DEFAULT VALUES}: Calcite has no such rows. They become {@code VALUES (DEFAULT)}, which stands for the
 *       defaults of all columns.
 *   <li>{@code SELECT date FROM t}: Calcite reserves some words that have a meaning in few places only. Elsewhere they become quoted
 *       names.
 *   <li>{@code LATERAL f(...)}: Calcite has LATERAL in front of queries only. A function refers to what is before it anyway.
 *   <li>{@code INTERVAL '1 day'}: Calcite has the unit behind the text.
 *   <li>{@code WITH q AS MATERIALIZED (...)}: Calcite lacks the word.
 *   <li>{@code INTEGER[]}: Calcite has {@code INTEGER ARRAY}.
 *   <li>{@code SELECT UNNEST(a)}: Calcite has UNNEST behind FROM only. In a list of SELECT it becomes the name of a function.
 *   <li>{@code 0x1F} and {@code 1_000}: Calcite reads a number and an alias. They are refused.
 * </ul>
 */
final class StatementTokens extends StatementGrammarTokenManager implements StatementGrammarConstants {
    private static final Pattern WRITTEN_DAY = Pattern.compile("^'(\\d{4,})-(\\d{1,2})-(\\d{1,2})");
    /** Characters of a binary literal that the parser is not given. */
    private static final int LONG_LITERAL = 1000;

    private static final int DIGITS_OF_A_YEAR = 4;

    /** The Julian and the Gregorian calendar differ up to this year. */
    private static final int LAST_JULIAN_YEAR = 1582;

    /** For each parenthesis that is open, whether a SELECT in it has had no FROM yet. */
    private final Deque<Boolean> withoutFrom = new ArrayDeque<>(List.of(false));

    /** For each parenthesis that is open, whether it is that of a CAST. */
    private final Deque<Boolean> ofCast = new ArrayDeque<>(List.of(false));

    /** Tokens that have been changed and wait for the parser. */
    private final Deque<Token> waiting = new ArrayDeque<>();

    /** Tokens of the text that have been read ahead. */
    private final Deque<Token> ahead = new ArrayDeque<>();

    private int before = EOF;

    /** The bytes of long binary literals, which the parser is given as empty ones. */
    private final Map<SqlParserPos, byte[]> binaries = new HashMap<>();

    /** The place of OVERRIDING SYSTEM VALUE, which the parser is not given; null without. */
    private SqlParserPos overriding;

    StatementTokens(SimpleCharStream text) {
        super(text);
    }

    @Override
    public Token getNextToken() {
        if (!waiting.isEmpty()) {
            return waiting.poll();
        }
        Token token = read();
        if (token.image.equalsIgnoreCase("OVERRIDING") && isWord(peek(), "SYSTEM")) {
            read();
            if (isWord(peek(), "VALUE")) {
                read();
                overriding = position(token);
                return getNextToken();
            }
            throw PlanningErrors.at(position(token), "syntax error: expected OVERRIDING SYSTEM VALUE");
        }
        if (isName(token)) {
            token.kind = QUOTED_IDENTIFIER;
            token.image = '"' + token.image.toUpperCase(Locale.ROOT) + '"';
        }
        switch (token.kind) {
            case DATE, TIMESTAMP -> {
                if (peek().kind == QUOTED_STRING && isMisread(peek())) {
                    return cast(token);
                }
            }
            case TIME -> {
                if (peek().kind == QUOTED_STRING) {
                    return cast(token);
                } else if (peek().kind == WITH) {
                    throw unsupportedTime(token);
                }
            }
            case LATERAL -> {
                if (peek().kind != LPAREN && peek().kind != UNNEST && peek().kind != TABLE) {
                    return getNextToken();
                }
            }
            case DEFAULT_ -> {
                if (peek().kind == VALUES) {
                    return defaults(token);
                }
            }
            case INTERVAL -> {
                if (peek().kind == QUOTED_STRING && IntervalText.hasUnits(peek().image)) {
                    return interval(token);
                }
            }
            case AS -> skipMaterialized();
            case LAMBDA -> token.kind = JSON_VALUE_OF;
            case LBRACKET -> {
                if (peek().kind == RBRACKET && before != ARRAY) {
                    arrayType(token);
                }
            }
            case QUOTED_STRING -> StringEscapes.checkSurrogates(token.image, position(token));
            case PREFIXED_STRING_LITERAL, C_STYLE_ESCAPED_STRING_LITERAL -> plain(token);
            case UNICODE_STRING_LITERAL, UNICODE_QUOTED_IDENTIFIER -> unescape(token);
            case UNSIGNED_INTEGER_LITERAL, DECIMAL_NUMERIC_LITERAL, APPROX_NUMERIC_LITERAL -> checkEnd(token);
            case BINARY_STRING_LITERAL -> keepBytes(token);
            case LPAREN -> {
                withoutFrom.push(false);
                ofCast.push(before == CAST);
            }
            case RPAREN -> {
                if (withoutFrom.size() > 1) {
                    withoutFrom.pop();
                    ofCast.pop();
                }
            }
            case SELECT -> inside(true);
            // IS DISTINCT FROM compares.
            case FROM -> inside(withoutFrom.peek() && before == DISTINCT);
            case ORDER, LIMIT, OFFSET, FETCH -> inside(false);
            case WHERE, GROUP, HAVING -> {
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

    /** Whether a word that has a meaning in the grammar is a name where it stands. */
    private boolean isName(Token token) {
        int next = peek().kind;
        boolean called = next == LPAREN && before != INTO;
        return switch (token.kind) {
            case DATE, TIME, TIMESTAMP -> {
                boolean type = before == INFIX_CAST || before == AS && ofCast.peek();
                boolean zoned = next == WITH || next == WITHOUT || isWord(peek(), "ZONE");
                yield !type && !called && !zoned && next != QUOTED_STRING;
            }
            case NEXT -> before != FETCH && !isWord(peek(), "VALUE");
            case CURRENT -> next != ROW && !isWord(peek(), "VALUE");
            case VALUE -> before != NEXT && before != CURRENT && !called;
            case CURSOR, PERIOD -> !called;
            case UNNEST -> next != LPAREN || withoutFrom.peek();
            case MULTISET -> !called && next != LBRACKET;
            case CALL, MEASURE, NEW, STREAM -> true;
            default -> false;
        };
    }

    private static boolean isWord(Token token, String word) {
        return token.image.equalsIgnoreCase(word);
    }

    /** Brackets behind a type: further ones are further dimensions, which make no difference. */
    private void arrayType(Token bracket) {
        read();
        while (peek().kind == LBRACKET && peek(1).kind == RBRACKET) {
            read();
            read();
        }
        bracket.kind = ARRAY;
        bracket.image = "ARRAY";
    }

    /** AS [NOT] MATERIALIZED (query): each use of the query plans it anew in any case. */
    private void skipMaterialized() {
        int not = peek().kind == NOT ? 1 : 0;
        if (isWord(peek(not), "MATERIALIZED") && peek(not + 1).kind == LPAREN) {
            for (int i = 0; i <= not; i++) {
                read();
            }
        }
    }

    /** {@code INTERVAL '1 day'} as {@code INTERVAL '1 0:0:0.000000' DAY TO SECOND}, and months apart. */
    private Token interval(Token word) {
        Token text = read();
        IntervalText value = IntervalText.parse(text.image.substring(1, text.image.length() - 1));
        if (value == null) {
            throw PlanningErrors.at(position(text), text.image + " is no interval");
        }
        if (value.months() != 0 && value.micros() != 0) {
            throw PlanningErrors.at(
                    position(text), "an interval has months and years, or smaller units: write two intervals");
        }
        before = INTERVAL;
        boolean months = value.months() != 0;
        add(text, QUOTED_STRING, months ? "'" + value.months() + "'" : value.dayTime());
        add(text, months ? MONTH : DAY, months ? "MONTH" : "DAY");
        add(text, LPAREN, "(");
        add(text, UNSIGNED_INTEGER_LITERAL, "9");
        add(text, RPAREN, ")");
        if (!months) {
            add(text, TO, "TO");
            add(text, SECOND, "SECOND");
        }
        return word;
    }

    private static SqlPlanningException unsupportedTime(Token type) {
        return PlanningErrors.at(position(type), "TIME WITH TIME ZONE is not supported: use TIME or TIMESTAMPTZ");
    }

    private Token read() {
        PlanningLimit.check();
        return ahead.isEmpty() ? super.getNextToken() : ahead.poll();
    }

    private Token peek() {
        if (ahead.isEmpty()) {
            ahead.add(super.getNextToken());
        }
        return ahead.peek();
    }

    private Token peek(int distance) {
        while (ahead.size() <= distance) {
            ahead.add(super.getNextToken());
        }
        return ahead.stream().skip(distance).findFirst().orElseThrow();
    }

    private static SqlParserPos position(Token token) {
        return new SqlParserPos(token.beginLine, token.beginColumn);
    }

    private void plain(Token token) {
        token.image = token.kind == C_STYLE_ESCAPED_STRING_LITERAL
                ? StringEscapes.ofC(token.image, position(token))
                : StringEscapes.withoutCharacterSet(token.image, position(token));
        token.kind = QUOTED_STRING;
    }

    /** Resolves the escapes of a string or a name, with the escape character that UESCAPE gives behind it. */
    private void unescape(Token token) {
        boolean string = token.kind == UNICODE_STRING_LITERAL;
        String quoted = token.image.substring("U&".length());
        StringBuilder all = new StringBuilder(quoted);
        while (string && peek().kind == QUOTED_STRING) {
            String more = read().image;
            all.setLength(all.length() - 1);
            all.append(more, 1, more.length());
        }
        String escape = "'\\'";
        if (peek().kind == UESCAPE) {
            read();
            escape = peek().kind == QUOTED_STRING ? read().image : "";
        }
        token.image = StringEscapes.ofUnicode(all.toString(), escape, position(token));
        token.kind = string ? QUOTED_STRING : QUOTED_IDENTIFIER;
    }

    /** Keeps the bytes of a long binary literal from the parser, whose time grows with the square of its length. */
    private void keepBytes(Token literal) {
        String image = literal.image;
        if (image.length() < LONG_LITERAL) {
            return;
        }
        try {
            byte[] bytes = HexFormat.of().parseHex(image, image.indexOf('\'') + 1, image.length() - 1);
            binaries.put(position(literal), bytes);
            literal.image = "x''";
        } catch (IllegalArgumentException invalid) {
            // The parser says what is wrong with it.
        }
    }

    /** A statement within the clause that its parser was not given. */
    SqlNode withOverriding(SqlNode statement) {
        return overriding == null ? statement : OverridingClause.OPERATOR.createCall(overriding, statement);
    }

    /** A statement with the bytes that its parser was not given. */
    SqlNode withBinaries(SqlNode statement) {
        return binaries.isEmpty() ? statement : BinaryLiteral.replaced(statement, binaries);
    }

    /** Refuses a number that runs into letters. */
    private void checkEnd(Token number) {
        Token next = peek();
        boolean adjacent = next.beginLine == number.endLine && next.beginColumn == number.endColumn + 1;
        if (adjacent && !next.image.isEmpty() && Character.isUnicodeIdentifierPart(next.image.codePointAt(0))) {
            throw PlanningErrors.at(
                    position(number),
                    "syntax error: " + number.image + next.image
                            + " is no number: write its decimal digits, or a blank between a number and a name");
        }
    }

    /** Whether Calcite would read another day than is written; refuses a day that does not exist. */
    private static boolean isMisread(Token literal) {
        Matcher day = WRITTEN_DAY.matcher(literal.image);
        if (!day.find() || day.group(1).length() > DIGITS_OF_A_YEAR + 2) {
            return false;
        }
        int year = Integer.parseInt(day.group(1));
        int month = Integer.parseInt(day.group(2));
        int most = month < 1 || month > 12 ? 0 : YearMonth.of(year, month).lengthOfMonth();
        int number = Integer.parseInt(day.group(3));
        if (number < 1 || number > most) {
            throw PlanningErrors.at(
                    position(literal), "there is no day " + day.group().substring(1));
        }
        return day.group(1).length() > DIGITS_OF_A_YEAR || year == LAST_JULIAN_YEAR;
    }

    /** {@code DATE '..'} as {@code CAST('..' AS DATE)}. */
    private Token cast(Token type) {
        Token literal = read();
        before = RPAREN;
        add(type, CAST, "CAST");
        add(type, LPAREN, "(");
        waiting.add(literal);
        add(literal, AS, "AS");
        add(type, type.kind, type.image);
        add(literal, RPAREN, ")");
        return waiting.poll();
    }

    private Token defaults(Token word) {
        before = RPAREN;
        waiting.add(read());
        add(word, LPAREN, "(");
        waiting.add(word);
        add(word, RPAREN, ")");
        return waiting.poll();
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
        add(word, QUOTED_IDENTIFIER, "\"" + ExtendedGrammar.NOTHING + "\"");
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
