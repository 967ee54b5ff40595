package io.reprise.sql.bind;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import org.apache.calcite.sql.SqlBinaryStringLiteral;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.util.BitString;

/**
 * A binary literal that keeps its bytes. Calcite's own one keeps a text of zeros and ones. Its conversion takes time
 * that grows with the square of the length.
 */
final class BinaryLiteral extends SqlBinaryStringLiteral {
    private BinaryLiteral(byte[] bytes, SqlParserPos position) {
        super(new Bytes(bytes), position);
    }

    /** A statement with the literals at these positions replaced by those of the given bytes. */
    static SqlNode replaced(SqlNode statement, Map<SqlParserPos, byte[]> literals) {
        return statement.accept(new SqlShuttle() {
            @Override
            public SqlNode visit(SqlLiteral literal) {
                SqlParserPos position = literal.getParserPosition();
                byte[] bytes = literal instanceof SqlBinaryStringLiteral
                        ? literals.get(new SqlParserPos(position.getLineNum(), position.getColumnNum()))
                        : null;
                return bytes == null ? literal : new BinaryLiteral(bytes, position);
            }
        });
    }

    private static final class Bytes extends BitString {
        private final byte[] bytes;

        Bytes(byte[] bytes) {
            super("", Math.multiplyExact(bytes.length, Byte.SIZE));
            this.bytes = bytes;
        }

        @Override
        public byte[] getAsByteArray() {
            return bytes;
        }

        @Override
        public String toHexString() {
            return HexFormat.of().withUpperCase().formatHex(bytes);
        }

        @Override
        public String toBitString() {
            StringBuilder bits = new StringBuilder(getBitCount());
            for (byte each : bytes) {
                for (int bit = Byte.SIZE - 1; bit >= 0; bit--) {
                    bits.append((char) ('0' + (each >>> bit & 1)));
                }
            }
            return bits.toString();
        }

        @Override
        public String toString() {
            return toBitString();
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Bytes those && Arrays.equals(bytes, those.bytes);
        }
    }
}
