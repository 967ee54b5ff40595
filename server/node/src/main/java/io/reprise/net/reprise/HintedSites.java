package io.reprise.net.reprise;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/** The sites of calls: the site of the partition that a frame names, or else one for each connection in turn. Immutable. */
final class HintedSites {
    private final int[] siteOf;
    private final int sites;

    /**
     * The sites of partitions.
     *
     * @param siteOf the site of a partition
     */
    HintedSites(int partitions, int sites, IntUnaryOperator siteOf) {
        this.siteOf = new int[partitions];
        this.sites = sites;
        Arrays.setAll(this.siteOf, siteOf);
    }

    /**
     * The site of a frame.
     *
     * @param partition the partition that the frame names; any other number: none
     * @param connection the number of its connection
     */
    int of(int partition, int connection) {
        return partition >= 0 && partition < siteOf.length ? siteOf[partition] : connection % sites;
    }
}
