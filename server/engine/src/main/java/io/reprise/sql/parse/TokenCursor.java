package io.reprise.sql.parse;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Ddl;
import io.reprise.catalog.DdlException;
import io.reprise.catalog.Limits;
import io.reprise.catalog.Position;
import io.reprise.catalog.QualifiedName;
import io.reprise.catalog.SearchPath;
import io.reprise.catalog.Sequence;
import io.reprise.catalog.Suggestions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Walks over the tokens of a statement; says what was found and what was expected where they differ. */
final class TokenCursor {
    private final String text;
    private final List<Token> tokens;
    private final boolean recorded;
    private final Catalog catalog;
    private SearchPath path = SearchPath.DEFAULT;
    private int at;

    /**
     * At the beginning of a statement.
     *
     * @param catalog in which names without a schema are looked up, if the statement has a search path
     * @param recorded whether it was accepted before, perhaps by a version with fewer reserved words: they are names then
     */
    TokenCursor(String text, Position start, boolean recorded, Catalog catalog) {
        this.text = text;
        this.catalog = catalog;
        this.tokens = Lexer.tokens(text, start);
        this.recorded = recorded;
    }

    Token peek() {
        return tokens.get(at);
    }

    Token peek(int ahead) {
        return tokens.get(Math.min(at + ahead, tokens.size() - 1));
    }

    Token next() {
        Token token = tokens.get(at);
        if (at < tokens.size() - 1) {
            at++;
        }
        return token;
    }

    /** The text from a token's beginning to another one's end. */
    String text(Token first, Token last) {
        return text.substring(first.start(), last.end());
    }

    /** The cursor's place, for {@link #reset}. */
    int mark() {
        return at;
    }

    /** Goes back to a place. */
    void reset(int mark) {
        at = mark;
    }

    /** Passes over the words if they are all there, in this order. */
    boolean accept(String... words) {
        for (int i = 0; i < words.length; i++) {
            if (!peek(i).isWord(words[i])) {
                return false;
            }
        }
        at += words.length;
        return true;
    }

    boolean acceptSign(char sign) {
        if (peek().isSign(sign)) {
            at++;
            return true;
        }
        return false;
    }

    /** Passes over a word that must be there. */
    Token expect(String word) {
        if (!peek().isWord(word)) {
            throw expected(word);
        }
        return next();
    }

    void expectSign(char sign) {
        if (!acceptSign(sign)) {
            throw expected("'" + sign + "'");
        }
    }

    /** Refuses whatever follows the statement. */
    void expectEnd(String... orElse) {
        acceptSign(';');
        if (peek().kind() != Token.Kind.END) {
            String[] choices = Arrays.copyOf(orElse, orElse.length + 1);
            choices[orElse.length] = "the end of the statement";
            throw expected(choices);
        }
    }

    /** A name: upper case unless quoted. */
    Ddl.Name name(String what) {
        Token token = peek();
        return switch (token.kind()) {
            case WORD -> {
                String upper = token.text().toUpperCase(Locale.ROOT);
                if (!recorded && ReservedWords.contains(upper)) {
                    throw refused("expected " + what + ", but " + token.describe()
                            + " is a reserved word; choose another name, or quote it: \"" + upper + "\"");
                }
                yield name(upper, what);
            }
            case QUOTED_NAME -> name(token.text(), what);
            default -> throw expected(what);
        };
    }

    /** IN SCHEMA s, ..., if that stands here: the search path of what follows. */
    SearchPath acceptPath() {
        if (accept("IN", "SCHEMA")) {
            List<String> schemas = new ArrayList<>();
            do {
                schemas.add(unqualified("the name of a schema").text());
            } while (acceptSign(','));
            path = new SearchPath(schemas);
        }
        return path;
    }

    /** The name of a table, view, sequence, constraint or schema itself, which has no dot. */
    Ddl.Name unqualified(String what) {
        Token token = peek();
        Ddl.Name name = name(what);
        if (name.text().indexOf('.') >= 0) {
            throw new DdlException(token.at(), what + " can't have a dot: it would stand for a schema");
        }
        return name;
    }

    /** The catalog's name of a table, view or sequence that exists, written with or without a schema. */
    Ddl.Name relation(String what) {
        Ddl.Name name = unqualified(what);
        return acceptSign('.')
                ? new Ddl.Name(QualifiedName.of(name.text(), unqualified(what).text()), name.at())
                : new Ddl.Name(path.find(name.text(), catalog::hasRelation), name.at());
    }

    /** A column with its table: t.c, or s.t.c. */
    Ddl.SequenceOwner ownedColumn() {
        boolean qualified = peek(1).isSign('.') && peek(3).isSign('.');
        Ddl.Name table = qualified ? relation("the name of a table") : tableOfColumn();
        expectSign('.');
        return new Ddl.SequenceOwner(table, name("the name of a column"));
    }

    private Ddl.Name tableOfColumn() {
        Ddl.Name name = unqualified("the name of a table");
        return new Ddl.Name(path.find(name.text(), catalog::hasRelation), name.at());
    }

    /** The catalog's name of the sequence that a text names, with or without a schema. */
    String sequence(String written) {
        String name = Sequence.named(written.strip());
        return written.indexOf('.') < 0 ? path.find(name, catalog::hasRelation) : name;
    }

    /** The catalog's name of an index that exists. */
    Ddl.Name index(String what) {
        Ddl.Name name = unqualified(what);
        return acceptSign('.')
                ? new Ddl.Name(QualifiedName.of(name.text(), unqualified(what).text()), name.at())
                : new Ddl.Name(
                        path.find(
                                name.text(),
                                index -> catalog.tableOfIndex(index).isPresent()),
                        name.at());
    }

    /** The catalog's name of a table, view or sequence that the statement makes. */
    Ddl.Name newRelation(String what) {
        Ddl.Name name = unqualified(what);
        return acceptSign('.')
                ? new Ddl.Name(QualifiedName.of(name.text(), unqualified(what).text()), name.at())
                : new Ddl.Name(path.forNew(catalog, name.text()), name.at());
    }

    /** The catalog's name of an index or of another table in a table's schema, which is written without it. */
    Ddl.Name beside(Ddl.Name table, Ddl.Name name) {
        return new Ddl.Name(QualifiedName.of(QualifiedName.schema(table.text()), name.text()), name.at());
    }

    private Ddl.Name name(String text, String what) {
        checkName(text, what, peek().at());
        return new Ddl.Name(text, next().at());
    }

    /** A name that is not written, but comes from something that is. */
    Ddl.Name derivedName(String text, String what, Position at) {
        if (!recorded) {
            checkName(text, what, at);
        }
        return new Ddl.Name(text, at);
    }

    private static void checkName(String text, String what, Position at) {
        if (text.isEmpty()) {
            throw new DdlException(at, what + " can't be empty");
        }
        if (text.length() > Limits.NAME_LENGTH) {
            throw new DdlException(
                    at,
                    what + " can't be longer than " + Limits.NAME_LENGTH + " characters, but this one has "
                            + text.length());
        }
    }

    /** A whole number without sign, at most {@code max}. */
    int integer(String what, int max) {
        Token token = peek();
        if (token.kind() != Token.Kind.NUMBER) {
            throw expected(what);
        }
        if (!token.text().chars().allMatch(c -> c >= '0' && c <= '9')
                || token.text().length() > 10
                || Long.parseLong(token.text()) > max) {
            throw refused(
                    "expected " + what + ", a whole number of at most " + max + ", but found " + token.describe());
        }
        return Integer.parseInt(next().text());
    }

    /** The error that something else stands here. */
    DdlException expected(String... choices) {
        Token found = peek();
        String suggestion =
                found.kind() == Token.Kind.WORD ? Suggestions.didYouMean(found.text(), firstWords(choices)) : "";
        return refused("expected " + list(choices) + ", but found " + found.describe() + suggestion);
    }

    private static List<String> firstWords(String... choices) {
        return Arrays.stream(choices)
                .map(choice -> choice.split(" ", 2)[0])
                .filter(word -> Character.isUpperCase(word.charAt(0)))
                .toList();
    }

    /** An error about what stands here. */
    DdlException refused(String problem) {
        return new DdlException(peek().at(), problem);
    }

    private static String list(String... choices) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < choices.length; i++) {
            text.append(i == 0 ? "" : i == choices.length - 1 ? " or " : ", ").append(choices[i]);
        }
        return text.toString();
    }
}
