package io.reprise.access;

import java.time.Instant;

/**
 * The status of the lists of revoked certificates.
 *
 * @param ends when the first of the lists in use is too old: no certificate of its issuer counts then
 * @param revoked number of revoked certificates
 * @param outdated whether the files have changed since, and could not be used
 */
public record RevocationStatus(Instant ends, long revoked, boolean outdated) {}
