package io.reprise.redo;

/** The hand-over of full {@link RedoBatch}es from a {@link DataDecoder} to its {@link DataRedo}. */
public interface RedoBatches {
    /** Takes a batch that is full, and gives an empty one. */
    RedoBatch exchange(RedoBatch full);
}
