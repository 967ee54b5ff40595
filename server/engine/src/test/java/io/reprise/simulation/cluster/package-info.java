/** A simulated cluster of real engines: logs, replicas, links, membership and numbered calls in one thread under one seed. */
package io.reprise.simulation.cluster;
