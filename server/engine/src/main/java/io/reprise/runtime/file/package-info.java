/**
 * Injected files: the little that a log and snapshots need of a disk, so that a simulated disk can fail, tear and
 * forget in every way that a real one does. {@link io.reprise.runtime.file.FileStore} is a data directory, {@link
 * io.reprise.runtime.file.DataFile} an open file in it. Each open file belongs to one thread at a time, a store to
 * any number.
 *
 * <p>After a power loss:
 *
 * <ul>
 * <li>bytes written before the last successful {@link io.reprise.runtime.file.DataFile#force} are there; later writes
 * may be there wholly, in part, in any order or not at all;
 * <li>names made, renamed or deleted before the last {@link io.reprise.runtime.file.FileStore#forceDirectory} of
 * their directory are durable; later changes each happened or did not. Forcing a file doesn't force its name;
 * <li>the subject of a failed force is never durable. The operating system forgets the pages that it could not write,
 * so the next force succeeds without them. {@link io.reprise.runtime.file.ForceFailedException} is fatal and never
 * retried.
 * </ul>
 *
 * <p>Read {@link io.reprise.runtime.file.FileStore} first.
 */
package io.reprise.runtime.file;
