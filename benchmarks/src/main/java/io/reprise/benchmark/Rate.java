package io.reprise.benchmark;

/** How fast calls ended: by the clock, and by the processor time that whoever ran them had. */
public record Rate(double perSecond, double perCpuSecond) {}
