/**
 * A node as a process: {@link io.reprise.node.process.NodeProcess} starts what a configuration asks for and stops it in
 * order; {@link io.reprise.node.process.RunFile} is how others find the process that is at work in a data directory.
 *
 * <p>Threads: start on the one that starts it, stop on the one that stops it, which is the JVM's at its end; and one that tries
 * again to write the run file, if the disk was full at the start.
 */
package io.reprise.node.process;
