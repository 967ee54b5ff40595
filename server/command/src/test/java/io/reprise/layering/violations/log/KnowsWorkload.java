package io.reprise.layering.violations.log;

import io.reprise.layering.violations.workload.KnowsServer;

/** Looks at procedures from a layer that moves bytes. */
public record KnowsWorkload(KnowsServer workload) {}
