package io.reprise.execution.work;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.ProcedureDefinition;
import io.reprise.catalog.SqlType;
import io.reprise.execution.BucketMap;
import io.reprise.execution.Execution;
import io.reprise.execution.deploy.Arguments;
import io.reprise.id.BucketSet;
import io.reprise.id.Buckets;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Text;
import io.reprise.runtime.memory.Memory;
import io.reprise.sql.compile.runtime.Decimals;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * From a call's arguments to the partitions that take part: the values of the routing parameters, single or in arrays,
 * are values of partitioning columns. Without routing parameters all partitions take part.
 */
final class Routing {
    private final List<Parameter> parameters;

    /** The index of the only parameter if integers for it are hashed as they are, as nearly all are; otherwise -1. */
    private final int onlyWhole;

    /** A parameter (from 0) that holds values of a partitioning column of that type. */
    record Parameter(int index, SqlType type) {
        private boolean isWhole() {
            return switch (type.kind()) {
                case DECIMAL, VARCHAR, VARBINARY -> false;
                default -> true;
            };
        }
    }

    Routing(List<Parameter> parameters) {
        this.parameters = List.copyOf(parameters);
        onlyWhole = isSingle() && parameters.getFirst().isWhole()
                ? parameters.getFirst().index()
                : -1;
    }

    /** The routing parameters. */
    List<Parameter> parameters() {
        return parameters;
    }

    /** The routing that a procedure declares; the catalog has checked that it names partitioning columns. */
    static Routing of(ProcedureDefinition definition, Catalog catalog) {
        return new Routing(definition.routing().stream()
                .map(r -> new Parameter(
                        r.parameter(),
                        catalog.table(r.table())
                                .flatMap(t -> t.column(r.column()))
                                .orElseThrow()
                                .type()))
                .toList());
    }

    /** Whether it is one parameter. */
    boolean isSingle() {
        return parameters.size() == 1;
    }

    /**
     * The parameter whose value is at home where the transaction is to run, if clients can tell its bucket; otherwise -1. Others may
     * bring in more partitions, but the first decides on the home. They can't tell a decimal's: its scale is the column's.
     */
    int homeParameter() {
        if (parameters.isEmpty()) {
            return -1;
        }
        Parameter parameter = parameters.getFirst();
        return switch (parameter.type().kind()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT, TIMESTAMP, DATE, TIME, VARCHAR, VARBINARY -> parameter.index();
            default -> -1;
        };
    }

    /** Adds the participants; with {@code confine}, the only parameter's bucket is the transaction's. */
    void route(Execution execution, BucketMap map, boolean confine) {
        execution.routeBy(map);
        if (confine) {
            int bucket = onlyBucket(map, execution.request().arguments());
            execution.confineTo(bucket, map.partition(bucket));
            return;
        }
        if (parameters.isEmpty()) {
            addAll(execution, map);
            return;
        }
        BucketSet routed = execution.confineToSome();
        for (int i = 0; i < parameters.size(); i++) {
            add(execution, map, parameters.get(i), routed);
        }
        if (execution.participantCount() == 0) {
            execution.addParticipant(0);
        }
    }

    private int onlyBucket(BucketMap map, Arguments arguments) {
        if (onlyWhole >= 0 && arguments.kind(onlyWhole) == Arguments.Kind.INTEGER) {
            return map.bucketOf(arguments.word(onlyWhole));
        }
        Parameter parameter = parameters.getFirst();
        return bucket(map.buckets(), arguments, parameter.index(), parameter.type());
    }

    static void addAll(Execution execution, BucketMap map) {
        for (int partition = 0; partition < map.partitions(); partition++) {
            execution.addParticipant(partition);
        }
    }

    private static void add(Execution execution, BucketMap map, Parameter parameter, BucketSet routed) {
        Arguments arguments = execution.request().arguments();
        SqlType type = parameter.type();
        switch (arguments.reference(parameter.index())) {
            case long[] values -> {
                for (long value : values) {
                    take(execution, map, ofWhole(map.buckets(), value, type), routed);
                }
            }
            case int[] values -> {
                for (int value : values) {
                    take(execution, map, ofWhole(map.buckets(), value, type), routed);
                }
            }
            case String[] values -> {
                for (String value : values) {
                    take(execution, map, ofString(map.buckets(), value), routed);
                }
            }
            case null, default ->
                take(execution, map, bucket(map.buckets(), arguments, parameter.index(), type), routed);
        }
    }

    /** The partition of the first value is the home: there an order is written, and money comes from. */
    private static void take(Execution execution, BucketMap map, int bucket, BucketSet routed) {
        routed.add(bucket);
        int partition = map.partition(bucket);
        if (execution.participantCount() == 0) {
            execution.runAt(partition, bucket);
        }
        execution.addParticipant(partition);
    }

    /** The bucket of one argument, taken as a value of a partitioning column of that type. */
    static int bucket(Buckets buckets, Arguments arguments, int index, SqlType type) {
        return switch (arguments.kind(index)) {
            case NULL -> buckets.of(0);
            case INTEGER -> ofWhole(buckets, arguments.word(index), type);
            case BOOLEAN -> buckets.of(arguments.word(index));
            case DOUBLE -> throw unusable("a double", type);
            case REFERENCE ->
                switch (arguments.reference(index)) {
                    case String value -> ofString(buckets, value);
                    case Text value -> buckets.of(Memory.hash(value.segment(), value.offset(), value.length()));
                    case byte[] value -> ofBytes(buckets, value);
                    case BigDecimal value -> ofDecimal(buckets, value, type);
                    default -> throw unusable("an array", type);
                };
        };
    }

    private static int ofWhole(Buckets buckets, long value, SqlType type) {
        return switch (type.kind()) {
            case DECIMAL -> ofDecimal(buckets, BigDecimal.valueOf(value), type);
            case VARCHAR, VARBINARY -> throw unusable("a number", type);
            default -> buckets.of(value);
        };
    }

    /** Rounded as a statement rounds what it stores; one that takes no fraction refuses it where it runs, and says which parameter it is. */
    private static int ofDecimal(Buckets buckets, BigDecimal value, SqlType type) {
        return switch (type.kind()) {
            case DECIMAL -> buckets.of(Decimals.unscaled(value, type.precision(), type.scale()));
            case VARCHAR, VARBINARY -> throw unusable("a number", type);
            default -> buckets.of(Decimals.rounded(value, 0, type.toString()));
        };
    }

    private static int ofString(Buckets buckets, String value) {
        return ofBytes(buckets, value.getBytes(StandardCharsets.UTF_8));
    }

    private static int ofBytes(Buckets buckets, byte[] value) {
        return buckets.of(Memory.hash(MemorySegment.ofArray(value), 0, value.length));
    }

    private static ProcedureException unusable(String what, SqlType type) {
        return new ProcedureException(
                ErrorCode.INVALID_VALUE,
                what + " was passed for a parameter that decides on the partition by a column of type " + type);
    }

    /** Whether the same arguments go to the same partitions. */
    boolean isLike(Routing other) {
        return parameters.equals(other.parameters);
    }
}
