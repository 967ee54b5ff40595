package io.reprise.engine;

/**
 * The state of a sorted log.
 *
 * @param sorted the log position up to which runs were made since the start; 0: none
 * @param replaced the log position up to which runs take the log's place; 0: the log is needed
 * @param imagesLogged transactions since the start that were logged as rows, because the image of their command had no room
 * @param imagesMissed commands without an image since the start, because it had no room
 * @param commands commands in runs that were made since the start; a start runs them again
 */
public record SortedLogStats(long sorted, long replaced, long imagesLogged, long imagesMissed, long commands) {}
