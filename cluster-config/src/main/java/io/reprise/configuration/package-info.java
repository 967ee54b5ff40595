/**
 * What a node is told in its YAML file, as immutable values: {@link io.reprise.configuration.NodeConfiguration} has all of
 * it, {@link io.reprise.configuration.ConfigurationFile} reads it. A wrong key or value is refused with its place in the
 * file. Knows no server code: what the values mean there is the server's business. Used by one thread, at the start.
 */
package io.reprise.configuration;
