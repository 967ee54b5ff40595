/** FOOTPRINT records as text. The bytes are those of {@link io.reprise.footprint.FootprintEncoder}. One thread. */
package io.reprise.record.footprint;
