/**
 * The form in which rows leave memory and come back: for logs, snapshots and streams. It depends on the table's
 * definition only, never on the place of a row's columns in memory ({@code docs/reference/formats/rows.md}). Start
 * with {@link io.reprise.storage.image.RowImageCodec}.
 *
 * <p>Generated code ({@link io.reprise.storage.image.RowClasses}) writes rows and keys ({@link
 * io.reprise.storage.image.RowWriterFactory}), finds and writes changed columns ({@link
 * io.reprise.storage.image.UpdateWriterFactory}), and reads rows that lie in one piece ({@link
 * io.reprise.storage.image.RowReaderFactory}), keys that are whole numbers ({@link
 * io.reprise.storage.image.KeyReaderFactory}) and changed columns without strings ({@link
 * io.reprise.storage.image.SetReaderFactory}); everything else goes column by column.
 *
 * <p>Users that meet tables again and again keep their codecs in a {@link io.reprise.storage.image.PerTable}: it
 * takes about a hundred microseconds to make one.
 *
 * <p>A codec and a cursor belong to the thread that owns the partition. Bytes are not trusted: damage gives a {@link
 * io.reprise.storage.image.DamagedImageException}, and nothing outside of the given bytes is used; generated code may
 * read some that follow in the same memory.
 */
package io.reprise.storage.image;
