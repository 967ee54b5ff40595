package io.reprise.storage.image;

import io.reprise.catalog.Column;
import io.reprise.storage.row.RowLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A row at random, what it was before, and which of its bytes an update has saved. */
final class RandomUpdate {
    final int from;
    final int to;
    final List<Object> values;
    final List<Object> before;
    final long row;
    final long image;
    private final CodecRig rig;

    RandomUpdate(CodecRig rig) {
        this.rig = rig;
        RowLayout layout = rig.rows.layout();
        from = from(rig, layout);
        to = to(rig, layout);
        values = rig.tables.row(rig.table);
        before = before(from <= RowLayout.HEADER);
        row = rig.place(values);
        image = rig.place(before);
    }

    /** All of the row, from the null bits on, or from some column on. */
    private static int from(CodecRig rig, RowLayout layout) {
        return switch (rig.random.nextInt(3)) {
            case 0 -> 0;
            case 1 -> RowLayout.HEADER;
            default -> layout.offset(rig.random.nextInt(rig.table.columns().size()));
        };
    }

    private static int to(CodecRig rig, RowLayout layout) {
        if (rig.random.nextBoolean()) {
            return layout.size();
        }
        int last = rig.random.nextInt(rig.table.columns().size());
        return layout.offset(last) + layout.width(last);
    }

    /** A save of a nullable column saves its null bit: without those, only the others change. */
    private List<Object> before(boolean nullBits) {
        Random random = rig.random;
        int share = random.nextInt(4) == 0 ? 100 : 3;
        List<Object> before = new ArrayList<>();
        for (Column column : rig.table.columns()) {
            boolean changes = (nullBits || !column.nullable()) && random.nextInt(share) == 0;
            before.add(changes ? rig.tables.value(column) : values.get(column.position()));
        }
        return before;
    }

    void abandon() {
        rig.rows.abandon(row);
        rig.rows.abandon(image);
    }
}
