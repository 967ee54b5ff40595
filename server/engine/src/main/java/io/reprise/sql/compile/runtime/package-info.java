/**
 * The base of generated classes, and the code that they call: result rows, sorting, grouping, and the functions of SQL over values that are long words
 * (strings: {@link io.reprise.storage.row.Ref}s into the partition's memory). It knows neither plans nor bytecode, so
 * it is read and tested as ordinary Java.
 *
 * <p>Owned by the partition's thread, like the statement instances that hold these objects. Everything reuses its
 * memory from one execution to the next. Read {@link io.reprise.sql.compile.runtime.RowBuffer} first.
 */
package io.reprise.sql.compile.runtime;
