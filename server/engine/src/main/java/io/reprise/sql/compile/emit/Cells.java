package io.reprise.sql.compile.emit;

/** The words of an aggregate, all 0 at first: in local variables, or in an array. */
public abstract class Cells {
    private Cells() {}

    /** Pushes a word. */
    public abstract void push(int cell);

    /** Sets a word to what is pushed. */
    public abstract void set(int cell, Runnable pushWord);

    /** Cells in new local variables. */
    public static Cells locals(Code code, int count) {
        int[] slots = new int[count];
        for (int i = 0; i < count; i++) {
            slots[i] = code.newLong();
            code.setLong(slots[i], 0);
        }
        return new Cells() {
            @Override
            public void push(int cell) {
                code.loadLong(slots[cell]);
            }

            @Override
            public void set(int cell, Runnable pushWord) {
                pushWord.run();
                code.storeLong(slots[cell]);
            }
        };
    }

    /** Cells in the array in a local, beginning at the index in a local plus an offset. */
    public static Cells words(Code code, int array, int base, int offset) {
        return new Cells() {
            private void pushPlace(int cell) {
                code.loadReference(array);
                code.loadInt(base);
                code.push(offset + cell);
                code.raw().iadd();
            }

            @Override
            public void push(int cell) {
                pushPlace(cell);
                code.raw().laload();
            }

            @Override
            public void set(int cell, Runnable pushWord) {
                pushPlace(cell);
                pushWord.run();
                code.raw().lastore();
            }
        };
    }
}
