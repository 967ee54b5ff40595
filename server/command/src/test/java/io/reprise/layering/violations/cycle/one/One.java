package io.reprise.layering.violations.cycle.one;

import io.reprise.layering.violations.cycle.two.Two;

/** Half a circle. */
public record One(Two two) {}
