package io.reprise.redo;

/** Who passes {@link RedoBatch}es on from a {@link DataDecoder} to its {@link DataRedo}. */
public interface RedoBatches {
    /** Takes a batch that is full, and gives an empty one. */
    RedoBatch exchange(RedoBatch full);
}
