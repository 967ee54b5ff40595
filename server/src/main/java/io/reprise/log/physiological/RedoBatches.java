package io.reprise.log.physiological;

/** Who passes {@link RedoBatch}es on from a {@link DataDecoder} to its {@link DataRedo}. */
public interface RedoBatches {
    /** Takes a batch that is full or has to be stored soon, and gives an empty one. */
    RedoBatch exchange(RedoBatch full);

    /** The same, and waits until all that was given has been stored. */
    RedoBatch drain(RedoBatch last);
}
