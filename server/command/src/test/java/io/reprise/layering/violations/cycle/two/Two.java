package io.reprise.layering.violations.cycle.two;

import io.reprise.layering.violations.cycle.one.One;

/** The other half. */
public record Two(One one) {}
