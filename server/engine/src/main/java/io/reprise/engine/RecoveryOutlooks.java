package io.reprise.engine;

/**
 * Expected times of a recovery, all of one moment.
 *
 * @param now those if the node stopped at once
 * @param afterSnapshot those that a snapshot of the moment would leave
 * @param afterSorting those that a run of the log up to the moment would leave; the same as now if runs are not used
 */
record RecoveryOutlooks(RecoveryOutlook now, RecoveryOutlook afterSnapshot, RecoveryOutlook afterSorting) {}
