/** Time, injected: {@link io.reprise.runtime.time.Clock} is the only way to learn it. */
package io.reprise.runtime.time;
