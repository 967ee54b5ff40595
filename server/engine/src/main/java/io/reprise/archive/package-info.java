/**
 * The archive: copies of log and snapshots outside the data directory, from which a database can be restored as it was at any
 * moment within the retention. Start with {@link io.reprise.archive.ArchiveAgent}, which copies, then {@link
 * io.reprise.archive.ArchiveCatalog}, which tells what there is.
 *
 * <pre>
 *  &lt;database id&gt;/log/&lt;begin&gt;-&lt;end&gt;.piece     bytes of one segment, and a footer ({@link io.reprise.archive.LogPiece})
 *  &lt;database id&gt;/snapshot/&lt;id&gt;/...           files of a snapshot; the manifest comes last and goes first
 * </pre>
 *
 * <p>The agent has a thread of its own, and reads files of the data directory like any other process. Invariants: a piece has only
 * durable log, whose checksums were compared; an object appears whole or not at all; the log is not removed beyond the archived
 * position; a failure of the archive never stops the engine.
 */
package io.reprise.archive;
