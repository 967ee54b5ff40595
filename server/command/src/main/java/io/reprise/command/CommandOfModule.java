package io.reprise.command;

import java.util.concurrent.Callable;

/**
 * A command of {@code reprise} that another module has, and that is there when the module is: found as a service, and listed and
 * explained like any other. Implementations are public, have a public constructor without parameters, and a {@link
 * picocli.CommandLine.Command} that names them; they return the program's exit code.
 */
public interface CommandOfModule extends Callable<Integer> {}
