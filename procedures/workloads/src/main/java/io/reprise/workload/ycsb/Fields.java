package io.reprise.workload.ycsb;

/** The fields and the statements on them, for all procedures. */
final class Fields {
    static final int COUNT = 10;
    static final int LENGTH = 100;

    static final String ALL = "field0, field1, field2, field3, field4, field5, field6, field7, field8, field9";
    static final String READ = "SELECT " + ALL + " FROM usertable WHERE ycsb_key = ?";
    static final String INSERT =
            "INSERT INTO usertable (ycsb_key, " + ALL + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    /** One for each field. */
    static final String[] UPDATE = {
        "UPDATE usertable SET field0 = ? WHERE ycsb_key = ?",
        "UPDATE usertable SET field1 = ? WHERE ycsb_key = ?",
        "UPDATE usertable SET field2 = ? WHERE ycsb_key = ?",
        "UPDATE usertable SET field3 = ? WHERE ycsb_key = ?",
        "UPDATE usertable SET field4 = ? WHERE ycsb_key = ?",
        "UPDATE usertable SET field5 = ? WHERE ycsb_key = ?",
        "UPDATE usertable SET field6 = ? WHERE ycsb_key = ?",
        "UPDATE usertable SET field7 = ? WHERE ycsb_key = ?",
        "UPDATE usertable SET field8 = ? WHERE ycsb_key = ?",
        "UPDATE usertable SET field9 = ? WHERE ycsb_key = ?"
    };

    private Fields() {}
}
