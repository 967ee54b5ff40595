package io.reprise.command;

/**
 * A record of a file that is loaded.
 *
 * @param number from 1 for the first that is loaded
 * @param line the line of the file on which it begins
 * @param text as it is in the file
 * @param values of the columns
 */
record LoadRecord(long number, long line, String text, Object... values) {}
