/**
 * The server's layering as rules ({@link io.reprise.layering.LayeringRules}), and proof that each of them can fail: {@link
 * io.reprise.layering.LayeringRulesTest} runs them over the wrong-doers in {@code violations}. {@code
 * io.reprise.LayeringTest} runs them over the server.
 */
package io.reprise.layering;
