/**
 * Files, injected: what a log and snapshots need of a disk and nothing more, so that a simulated disk can fail, tear
 * and forget in every way that a real one does. {@link io.reprise.runtime.file.FileStore} is a data directory, {@link
 * io.reprise.runtime.file.DataFile} an open file in it; each open file belongs to one thread at a time, a store to any
 * number.
 *
 * <p>What is promised after a power loss:
 *
 * <ul>
 *   <li>bytes: those written before the last {@link io.reprise.runtime.file.DataFile#force} that returned; later writes
 *       may be there wholly, in part, in any order or not at all;
 *   <li>names: those made, renamed or deleted before the last {@link
 *       io.reprise.runtime.file.FileStore#forceDirectory} of their directory; later changes each happened or did not.
 *       Forcing a file doesn't force its name;
 *   <li>nothing that a failed force was about, ever: the operating system forgets which pages it could not write, so
 *       the next force succeeds without them. {@link io.reprise.runtime.file.ForceFailedException} is fatal and never
 *       retried.
 * </ul>
 *
 * <p>Read {@link io.reprise.runtime.file.FileStore} first.
 */
package io.reprise.runtime.file;
