/** Drawings of results. {@link io.reprise.benchmark.plot.LinePlot} is all there is: files for documents, without a library. */
package io.reprise.benchmark.plot;
