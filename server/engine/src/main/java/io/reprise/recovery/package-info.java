/**
 * Bringing an engine back to where it was: the newest snapshot, then the log behind it. Start with {@link
 * io.reprise.recovery.replay.Replay}.
 */
package io.reprise.recovery;
