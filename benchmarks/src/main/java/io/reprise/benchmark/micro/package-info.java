/**
 * JMH micro benchmarks of what is on the hot path: {@code scripts/bench jmh [REGEX]}. A class here measures one thing and
 * says in its comment which decision hangs on it.
 */
package io.reprise.benchmark.micro;
