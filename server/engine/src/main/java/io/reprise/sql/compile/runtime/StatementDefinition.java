package io.reprise.sql.compile.runtime;

import io.reprise.catalog.SqlType;
import io.reprise.sql.bind.ParameterRounding;
import java.util.List;

/**
 * A compiled statement as its instances know it. The arrays are not to be changed.
 *
 * @param sql the text, for messages
 * @param parameterTypes the types of the parameters
 * @param roundings the treatment of digits that the parameters have no room for
 * @param result the columns of the result
 * @param fragment the columns of what one partition finds
 * @param merges whether a merge plan makes the result of what the partitions found
 * @param literals the bytes of the string literals
 */
public record StatementDefinition(
        String sql,
        SqlType[] parameterTypes,
        List<ParameterRounding> roundings,
        RowShape result,
        RowShape fragment,
        boolean merges,
        byte[][] literals) {}
