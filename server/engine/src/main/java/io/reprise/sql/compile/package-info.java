/**
 * From a plan to JVM bytecode: each statement becomes a class of its own, written with {@code java.lang.classfile}
 * against row offsets, with one instance for each partition, owned by the partition's thread.
 *
 * <h2>From plan to class</h2>
 *
 * {@code SELECT name FROM customer WHERE id = ? AND balance > ?} (id is the primary key with a hash index and the
 * partitioning column, balance a nullable DECIMAL) becomes what this Java would become:
 *
 * <pre>{@code
 * final class Sql_select_name_... extends CompiledStatement {
 *     private final TableStore table_CUSTOMER;           // set by the constructor, for this partition
 *     private final HashIndex index_CUSTOMER_PK;
 *     private long parameter0, parameter1, nulls0, given0;
 *
 *     public Statement set(int parameter, long value) {   // a switch: with a constant number nothing is left of it
 *         switch (parameter) { case 0: parameter0 = value; given0 |= 1; nulls0 &= ~1; return this; ... }
 *     }
 *
 *     public void execute() {
 *         if (parametersOf != store.transactionId() || given0 != 3) throw unsetParameter();
 *         rows.clear();
 *         store.checkScope(store.bucketOf(parameter0));
 *         if ((nulls0 & 1) == 0) {                         // a NULL key finds nothing
 *             long row = index_CUSTOMER_PK.find(parameter0 ^ Long.MIN_VALUE);
 *             if (row != 0) {
 *                 long balance = memory.getLong(row + 41); // offsets are constants
 *                 int isNull = memory.getByte(row + 8) >>> 2 & 1;
 *                 if (isNull == 0 && (nulls0 >>> 1 & 1) == 0 && balance > parameter1) {
 *                     long name = table_CUSTOMER.readString(row, 1);
 *                     int at = rows.append();
 *                     rows.words[at] = 0;                  // null bits
 *                     rows.words[at + 1] = Strings.copy(store, name);
 *                 }
 *             }
 *         }
 *     }
 *
 *     public Rows query() { execute(); return rows; }      // in each class, so that the call in it has one receiver
 * }
 * }</pre>
 *
 * <h2>Generation</h2>
 *
 * Operators do not exist at run time. {@link io.reprise.sql.compile.operator.Operators#produce} emits the loop that an operator
 * is, and asks its consumer to emit, inside, what happens to a row. A row is a promise too: {@link
 * io.reprise.sql.compile.emit.Row} emits the load of a column where it is first asked for. So a pipeline of operators becomes
 * nested loops over local variables. An operator that needs all its input (sort, groups, writes that must not see themselves) puts
 * rows into a {@code RowBuffer} and begins another loop over that, with the first pipeline in a method of its own.
 *
 * <p>A value is a local variable and, only where it can be NULL, a flag ({@link io.reprise.sql.compile.emit.Value}).
 * Conditions are jumps ({@link io.reprise.sql.compile.expression.Conditions}). Whatever is more than a few instructions is a static
 * method in {@link io.reprise.sql.compile.runtime}.
 *
 * <p>Invariants: between emitters the operand stack is empty; a computed value is used again only in the {@link
 * io.reprise.sql.compile.emit.Region} that computed it; strings in results never point into table rows.
 *
 * <h2>First files to read</h2>
 *
 * {@link io.reprise.sql.compile.StatementFactory} and {@link io.reprise.sql.compile.runtime.CompiledStatement} are what others
 * use. Then {@link io.reprise.sql.compile.StatementCompiler} (the methods), {@link io.reprise.sql.compile.operator.Operators} (the
 * loops), {@link io.reprise.sql.compile.expression.Expressions} (the values). To see the result, write what {@code
 * StatementFactory.classFile} gives to a file and look at it with {@code javap -c -p}.
 */
package io.reprise.sql.compile;
