package io.reprise.sql.bind;

/**
 * The treatment of a DECIMAL that has more digits behind the point than its parameter's type: as a value it is
 * rounded, as all that is stored; but what is compared with it must come out as for the DECIMAL itself.
 */
public enum ParameterRounding {
    /** It is rounded half away from zero. */
    NEAREST,
    /** The next number below: it compares as greater, or not, in the same way as the DECIMAL. */
    BELOW,
    /** The next number above: it compares as less, or not, in the same way as the DECIMAL. */
    ABOVE,
    /** It equals nothing that it is compared with. */
    UNEQUAL,
    /** It is refused: it is compared in several ways, and no single number stands for it in all of them. */
    SEVERAL,
    /** It is refused: it is compared with something of more digits, or of another type. */
    REFUSED;

    /**
     * Whether the parameter is only compared with exact numbers, as it is. Such a value may be outside of its type's range: it
     * equals nothing then, and is less or greater than all.
     */
    public boolean comparesAnyValue() {
        return this != NEAREST && this != REFUSED;
    }
}
