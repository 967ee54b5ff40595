package io.reprise.layering.violations.log;

/** Innocent. */
public final class Log {
    private Log() {}
}
