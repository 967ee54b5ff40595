/**
 * Time, injected: {@link io.reprise.runtime.time.Clock} is the only way to learn it. An agent gets the time as an
 * argument of its duty cycle; a clock is for who runs agents and for who needs the wall clock. The hybrid-logical step
 * from wall clock to timestamp is {@code id.TransactionId.next}.
 */
package io.reprise.runtime.time;
