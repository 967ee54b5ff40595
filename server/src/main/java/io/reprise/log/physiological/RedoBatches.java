package io.reprise.log.physiological;

/** Who passes {@link RedoBatch}es on from a {@link DataDecoder} to its {@link DataRedo}. */
@FunctionalInterface
public interface RedoBatches {
    /** Takes a full batch and gives an empty one. */
    RedoBatch exchange(RedoBatch full);
}
