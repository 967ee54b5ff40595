package io.reprise.execution;

import java.util.Arrays;

/**
 * The sites of a node and the partitions that each of them runs. A site is a thread, numbered from 0 within the node; the
 * partitions are told by their slots. Immutable.
 */
public final class SiteLayout {
    private final int sites;
    private final int[] siteOf;

    private SiteLayout(int sites, int[] siteOf) {
        this.sites = sites;
        this.siteOf = siteOf;
    }

    /** Deals the partitions of a node to so many sites, a stretch of slots to each. */
    public static SiteLayout dealt(int partitions, int sites) {
        if (sites < 1 || sites > partitions) {
            throw new IllegalArgumentException(
                    partitions + " partitions can have 1 to " + partitions + " sites, not " + sites);
        }
        int[] siteOf = new int[partitions];
        Arrays.setAll(siteOf, slot -> slot * sites / partitions);
        return new SiteLayout(sites, siteOf);
    }

    /** A site for each partition. */
    public static SiteLayout oneEach(int partitions) {
        return dealt(partitions, partitions);
    }

    /** The number of sites. */
    public int sites() {
        return sites;
    }

    /** The site that runs the partition in a slot. */
    public int siteOf(int slot) {
        return siteOf[slot];
    }
}
