/**
 * Physiological logging: what a transaction has done to rows, as after-images of what it changed. There are no images of
 * before, because partitions run one transaction at a time and nothing of an unfinished one is ever logged.
 *
 * <p>{@link io.reprise.log.physiological.DataCollector} turns a transaction's writes into a payload before it commits, most of them in
 * {@link io.reprise.log.physiological.OnePass one pass}, the others {@linkplain io.reprise.log.physiological.SortedPass sorted}. Redo has two
 * halves, so that two threads or more share it: {@link io.reprise.log.physiological.DataDecoder} reads payloads and unpacks them into {@link
 * io.reprise.log.physiological.RedoBatch}es, new rows mostly into their {@linkplain io.reprise.log.physiological.Placement places}; {@link
 * io.reprise.log.physiological.DataRedo} stores what is in these. {@link io.reprise.log.physiological.DataFormat} draws the bytes ({@code docs/reference/formats/data-records.md}).
 *
 * <p>A transaction over several partitions has one record: the payloads of all its partitions, one behind the other. Who
 * coordinates it collects from each store before anything is committed, with the replicated tables from one of them only,
 * then writes the record, then has the stores commit:
 *
 * <pre>
 *  long length = 0;
 *  for (int i = 0; i &lt; collectors.length; i++) {
 *      length += collectors[i].collect(i == 0);
 *  }
 *  begin the record; put collectors[i].length() bytes at collectors[i].address() of store i's memory, for each i; end it
 *  commit each store
 * </pre>
 *
 * <p>Everything here but the decoder belongs to the thread that owns the partitions at the moment. The same transaction gives the same
 * bytes wherever it runs.
 */
package io.reprise.log.physiological;
