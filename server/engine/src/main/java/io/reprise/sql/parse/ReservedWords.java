package io.reprise.sql.parse;

import io.reprise.sql.grammar.StatementGrammar;
import java.io.StringReader;
import java.util.Set;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;

/**
 * The words that can't be names without quotes. They are those of the parser of queries and DML, so that a table whose
 * name DDL accepts can be named in queries too; and NOW, which is the time there.
 */
public final class ReservedWords {
    private static final SqlAbstractParserImpl.Metadata METADATA =
            StatementGrammar.FACTORY.getParser(new StringReader("")).getMetadata();

    /** Words that the grammar reserves, and that its reader of tokens tells from names by their place. */
    private static final Set<String> NAMES_BY_PLACE =
            Set.of("CALL", "CURRENT", "CURSOR", "DATE", "MEASURE", "NEW", "NEXT", "STREAM", "TIME", "TIMESTAMP");

    private ReservedWords() {}

    /** Whether the word, in upper case, is reserved. */
    public static boolean contains(String word) {
        return METADATA.isReservedWord(word) && !NAMES_BY_PLACE.contains(word) || word.equals("NOW");
    }
}
