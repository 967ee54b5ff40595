package io.reprise.engine;

/**
 * Expected times of a recovery, all of one moment.
 *
 * @param now the times if the node stopped at once
 * @param afterSnapshot the times that a snapshot of the moment would leave
 * @param afterSorting the times that a run of the log up to the moment would leave; those of now if runs are not used
 */
record RecoveryOutlooks(RecoveryOutlook now, RecoveryOutlook afterSnapshot, RecoveryOutlook afterSorting) {}
