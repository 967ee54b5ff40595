package io.reprise.recovery.replay;

/** Where a {@link RunFiller} has its runs from, and where they go. */
interface RunOutlet {
    /** The filler's thread: one that is free; waits for it. */
    DataRun take();

    /** The filler's thread: has it stored, behind those sent before. */
    void send(DataRun full);

    /** The replaying thread: it has been stored. */
    void giveBack(DataRun stored);
}
