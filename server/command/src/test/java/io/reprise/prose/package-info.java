/**
 * Rules for the project's language. {@link io.reprise.prose.ProseTest} reads all sources and documents and bounds the
 * sentences that break a rule. {@link io.reprise.prose.PassageTest} shows that each rule can fail.
 */
package io.reprise.prose;
