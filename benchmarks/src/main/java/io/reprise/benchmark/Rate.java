package io.reprise.benchmark;

/** The rate of ended calls: by the clock, and by the processor time of the threads that ran them. */
public record Rate(double perSecond, double perCpuSecond) {}
