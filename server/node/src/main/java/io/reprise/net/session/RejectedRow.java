package io.reprise.net.session;

import io.reprise.procedure.ErrorCode;

/**
 * A row of a statement for many rows that is not committed.
 *
 * @param row its position among the rows of the request, from 0
 * @param code the kind of failure
 * @param message the reason
 */
public record RejectedRow(int row, ErrorCode code, String message) {}
