/** Several engines and their clients in one thread under one seed, on simulated disks, clocks and links. */
package io.reprise.simulation.engines;
