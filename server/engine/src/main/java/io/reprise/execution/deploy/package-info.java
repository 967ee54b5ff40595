/**
 * From a procedure's class file to something that an executor can run. {@link io.reprise.execution.deploy.ProcedureLoader}
 * scans the bytecode for what a replay could not repeat, weaves checks into it that end endless loops, and loads it in a
 * class loader of its own. {@link io.reprise.execution.deploy.ProcedureSignature} says what its {@code run} method takes and
 * gives, {@link io.reprise.execution.deploy.Arguments} carries a call's values there without boxing, and a generated
 * {@link io.reprise.execution.deploy.Invoker} makes the call.
 *
 * <p>Deploying happens on an administration thread, running on the partition's executor. Start with
 * {@code ProcedureLoader}; the rules are in {@code JdkRules}, {@code DeterminismScanner} and {@code StaticState}.
 */
package io.reprise.execution.deploy;
