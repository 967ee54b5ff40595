package io.reprise.layering.violations.client;

import io.reprise.layering.violations.log.Log;

/** A client that knows the server. */
public record KnowsLog(Log log) {}
