package io.reprise.sql.bind;

import io.reprise.sql.grammar.AliasedJoins;
import io.reprise.sql.grammar.SimpleCharStream;
import java.io.Reader;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;
import org.apache.calcite.sql.parser.SqlParserImplFactory;
import org.apache.calcite.util.SourceStringReader;

/**
 * Calcite's parser over {@link StatementTokens}, which add what its grammar lacks, and the tests that recognise those additions
 * in a syntax tree.
 */
final class ExtendedGrammar extends AliasedJoins {
    static final SqlParserImplFactory FACTORY = new SqlParserImplFactory() {
        @Override
        public SqlAbstractParserImpl getParser(Reader text) {
            return new ExtendedGrammar(new Text(text));
        }
    };
    static final String NOTHING = "$NOTHING";

    private final Text text;
    private final StatementTokens tokens;

    private ExtendedGrammar(Text text) {
        this(text, new StatementTokens(text));
    }

    private ExtendedGrammar(Text text, StatementTokens tokens) {
        super(tokens);
        this.text = text;
        this.tokens = tokens;
    }

    @Override
    public void setTabSize(int tabSize) {
        text.setTabSize(tabSize);
    }

    @Override
    public SqlNode parseSqlStmtEof() throws Exception {
        return tokens.withOverriding(tokens.withBinaries(ClientStatementEof()));
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

    /** Whether a query without FROM selects all columns. */
    static boolean selectsAllOfNothing(SqlSelect select) {
        return select.getFrom() instanceof SqlCall from
                && from.getKind() == SqlKind.AS
                && from.operand(1) instanceof SqlIdentifier alias
                && alias.getSimple().equals(NOTHING)
                && select.getSelectList().stream().anyMatch(ExtendedGrammar::isStar);
    }

    private static boolean isStar(SqlNode item) {
        return item instanceof SqlIdentifier name && name.isStar() && name.names.size() == 1;
    }
}
