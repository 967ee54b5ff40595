/**
 * The content of a node's YAML file as immutable values: {@link io.reprise.configuration.NodeConfiguration} has all
 * of it, {@link io.reprise.configuration.ConfigurationFile} reads it. A wrong key or value is refused with its place
 * in the file. Knows no server code: the server gives the values their meaning. Used by one thread, at the start.
 */
package io.reprise.configuration;
