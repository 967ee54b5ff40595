/**
 * From a plan to JVM bytecode: each statement becomes a class of its own, written with {@code java.lang.classfile}
 * against row offsets, with one instance for each partition. Instances are owned by the partition's thread.
 */
package io.reprise.sql.compile;
