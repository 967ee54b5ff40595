package io.reprise.layering.violations.storage;

import io.reprise.layering.violations.log.Log;

/** Looks up. */
public record KnowsLog(Log log) {}
