package io.reprise.log;

/** Whether frames are compressed by LZ4. In each case a frame stays as it is unless that saves an eighth. */
public enum Compression {
    /** Never. */
    NONE,
    /** Each frame of some size. */
    ALWAYS,
    /** When the disk is so slow that writing what is saved would take longer than saving it; both are measured. */
    MEASURED
}
