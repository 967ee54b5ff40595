/** One statement of a client, with the clauses that Calcite's grammar lacks, and the end of the text. */
SqlNode ClientStatementEof() :
{
    SqlNode statement;
}
{
    (
        statement = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY)
        ( RowLock() )*
    |
        statement = SqlInsert()
        [ statement = OnConflict(statement) ]
        [ statement = Returning(statement) ]
    |
        statement = ClientDelete()
        [ statement = Returning(statement) ]
    |
        statement = ClientUpdate()
        [ statement = Returning(statement) ]
    |
        statement = SqlMerge()
    )
    <EOF>
    {
        return statement;
    }
}

/** FOR UPDATE and its like behind a query. Transactions run one after the other, so there is nothing to lock. */
void RowLock() :
{
}
{
    <ROW_LOCK>
    [ <OF> SimpleIdentifier() ( <COMMA> SimpleIdentifier() )* ]
    [ <NOWAIT> ]
}

/** ON CONFLICT [(columns)] DO NOTHING, or DO UPDATE SET ... [WHERE condition]. */
SqlNode OnConflict(SqlNode insert) :
{
    final Span s;
    SqlNodeList key = SqlNodeList.EMPTY;
    final SqlNodeList targets = new SqlNodeList(SqlParserPos.ZERO);
    final SqlNodeList sources = new SqlNodeList(SqlParserPos.ZERO);
    SqlNode where = null;
}
{
    <ON> { s = span(); } <CONFLICT>
    [ key = ParenthesizedSimpleIdentifierList() ]
    <DO>
    (
        <NOTHING>
    |
        <UPDATE> <SET>
        Assignment(targets, sources)
        ( <COMMA> Assignment(targets, sources) )*
        [ where = Where() ]
    )
    {
        return ConflictClause.OPERATOR.createCall(s.end(this), insert, key, targets, sources, where);
    }
}

/** RETURNING and the expressions of the written rows. */
SqlNode Returning(SqlNode write) :
{
    final Span s;
    final List<SqlNode> items = new ArrayList<SqlNode>();
}
{
    <RETURNING> { s = span(); }
    AddSelectItem(items)
    ( <COMMA> AddSelectItem(items) )*
    {
        return ReturningClause.OPERATOR.createCall(s.end(this), write, new SqlNodeList(items, s.pos()));
    }
}

/** column = expression, or (columns) = (expressions). */
void Assignment(SqlNodeList targets, SqlNodeList sources) :
{
    SqlNode target;
    SqlNode source;
    final SqlNodeList several;
}
{
    (
        target = CompoundIdentifier() <EQ>
        ( LOOKAHEAD(2) <DEFAULT_> { source = SqlStdOperatorTable.DEFAULT.createCall(getPos()); }
        | source = Expression(ExprContext.ACCEPT_SUB_QUERY) )
        {
            targets.add(target);
            sources.add(source);
        }
    |
        several = ParenthesizedSimpleIdentifierList() <EQ> source = Expression(ExprContext.ACCEPT_SUB_QUERY)
        {
            Assignments.add(several, source, targets, sources);
        }
    )
}

/** UPDATE with lists of columns and FROM. */
SqlNode ClientUpdate() :
{
    final Span s;
    final SqlNodeList targets;
    final SqlNodeList sources;
    final SqlIdentifier table;
    SqlIdentifier alias = null;
    SqlNode from = null;
    SqlNode where = null;
}
{
    <UPDATE> {
        s = span();
        targets = new SqlNodeList(s.pos());
        sources = new SqlNodeList(s.pos());
    }
    table = CompoundTableIdentifier()
    [ LOOKAHEAD(1, { getToken(1).kind != RETURNING } ) [ <AS> ] alias = SimpleIdentifier() ]
    <SET>
    Assignment(targets, sources)
    ( <COMMA> Assignment(targets, sources) )*
    [ <FROM> from = FromClause() ]
    [ where = Where() ]
    {
        SqlParserPos position = s.addAll(targets).addAll(sources).addIf(where).pos();
        return Assignments.update(position, table, alias, targets, sources, from, where);
    }
}

/** DELETE with USING. */
SqlNode ClientDelete() :
{
    final Span s;
    final SqlIdentifier table;
    SqlIdentifier alias = null;
    SqlNode from = null;
    SqlNode where = null;
}
{
    <DELETE> { s = span(); }
    <FROM> table = CompoundTableIdentifier()
    [ LOOKAHEAD(1, { getToken(1).kind != RETURNING } ) [ <AS> ] alias = SimpleIdentifier() ]
    [ <USING> from = FromClause() ]
    [ where = Where() ]
    {
        SqlParserPos position = s.add(table).addIf(alias).addIf(where).pos();
        return Assignments.delete(position, table, alias, from, where);
    }
}

/** expression :: type. */
void InfixCast(List<Object> list, ExprContext exprContext, Span s) :
{
    final SqlDataTypeSpec type;
}
{
    <INFIX_CAST> {
        checkNonQueryExpression(exprContext);
    }
    type = DataType()
    {
        list.add(new SqlParserUtil.ToTreeListItem(SqlLibraryOperators.INFIX_CAST, s.pos()));
        list.add(type);
    }
}

/** json -> key, or json ->> key. */
void JsonAccess(List<Object> list, ExprContext exprContext, Span s) :
{
    final SqlOperator op;
}
{
    (
        <JSON_VALUE_OF> { op = JsonOperators.VALUE; }
    |
        <JSON_TEXT_OF> { op = JsonOperators.TEXT; }
    )
    {
        checkNonQueryExpression(exprContext);
        list.add(new SqlParserUtil.ToTreeListItem(op, getPos()));
    }
    AddExpression2b(list, ExprContext.ACCEPT_SUB_QUERY)
}

/** A test of two arrays: one contains the other, or both have an element in common. */
void ArrayTest(List<Object> list, ExprContext exprContext, Span s) :
{
    final SqlOperator op;
}
{
    (
        <ARRAY_CONTAINS> { op = ArrayOperators.CONTAINS; }
    |
        <ARRAY_CONTAINED> { op = ArrayOperators.CONTAINED; }
    |
        <ARRAY_OVERLAPS> { op = ArrayOperators.OVERLAPS; }
    )
    {
        checkNonQueryExpression(exprContext);
        list.add(new SqlParserUtil.ToTreeListItem(op, getPos()));
    }
    AddExpression2b(list, ExprContext.ACCEPT_SUB_QUERY)
}
