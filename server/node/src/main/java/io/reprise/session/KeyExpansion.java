package io.reprise.session;

/**
 * The translation of expansions of an index's or a constraint's columns to rows, which drivers write in two ways: by
 * {@code _pg_expandarray} and by {@code generate_subscripts}. Tables with one row for each column stand for both.
 */
final class KeyExpansion {
    private final TranslatedQuery out;
    private final boolean expandsKeys;
    private final boolean expandsSubscripts;

    KeyExpansion(TranslatedQuery out) {
        this.out = out;
        expandsSubscripts = out.tokens().stream().anyMatch(token -> token.isWord("generate_subscripts"));
        expandsKeys = out.tokens().stream().anyMatch(token -> token.isWord("_pg_expandarray"));
    }

    /**
     * Translates pgjdbc's {@code (information_schema._pg_expandarray(i.indkey)).n}: the table has one row for each column of an index
     * then. Returns the index behind it; {@code index}: there is none.
     */
    int translate(int index) {
        if (expandsSubscripts && out.token(index).isWord("pg_index")) {
            return out.put(index, "pg_index_keys");
        }
        if (expandsSubscripts && out.token(index).isWord("generate_subscripts")) {
            out.put(index, "(key_n - 1)");
            return out.closing(index + 1) + 1;
        }
        if (!expandsKeys) {
            return index;
        }
        Token token = out.token(index);
        if (token.isWord("pg_index") && expands("indkey")) {
            return out.put(index, "pg_index_keys");
        }
        if (token.isWord("pg_constraint") && expands("conkey")) {
            return out.put(index, "pg_constraint_keys");
        }
        if (token.isSign('(') && isExpansion(index + 1) && out.token(index + 10).isSign('.')) {
            out.put(
                    index,
                    out.token(index + 5).text() + ".key_"
                            + out.token(index + 11).text());
            return index + 12;
        }
        if (isExpansion(index)) {
            out.put(index, out.token(index + 4).text() + ".key_x");
            return index + 8;
        }
        boolean field = token.isSign('(')
                && out.token(index + 2).isSign('.')
                && out.token(index + 4).isSign(')')
                && out.token(index + 5).isSign('.')
                && out.token(index + 6).isWord("x");
        if (field) {
            out.put(
                    index,
                    '"' + out.token(index + 1).text() + "\"."
                            + out.token(index + 3).text());
            return index + 7;
        }
        return index;
    }

    private boolean expands(String column) {
        for (int i = 0; i < out.length(); i++) {
            if (isExpansion(i) && out.token(i + 6).isWord(column)) {
                return true;
            }
        }
        return false;
    }

    private boolean isExpansion(int index) {
        return out.token(index).isWord("information_schema")
                && out.token(index + 2).isWord("_pg_expandarray");
    }
}
