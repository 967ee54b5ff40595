/**
 * From a procedure's class file to something that an executor can run: {@link io.reprise.execution.deploy.ProcedureSignature}
 * says what its {@code run} method takes and gives, {@link io.reprise.execution.deploy.Arguments} carries a call's values
 * there without boxing.
 *
 * <p>Deploying happens on an administration thread, running on the partition's executor. Start with
 * {@code ProcedureSignature}.
 */
package io.reprise.execution.deploy;
