/**
 * The parser of statements, generated from the template in Calcite's jar and from the additions in {@code src/main/codegen}, and
 * the syntax tree's nodes for those additions. {@code sql.bind} is its only user. Stateless.
 */
package io.reprise.sql.grammar;
