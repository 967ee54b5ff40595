package io.reprise.workload.tatp;

/** The statements that procedures share. */
final class Sql {
    static final String SUBSCRIBER_DATA = "bit_1, bit_2, bit_3, bit_4, bit_5, bit_6, bit_7, bit_8, bit_9, bit_10, "
            + "hex_1, hex_2, hex_3, hex_4, hex_5, hex_6, hex_7, hex_8, hex_9, hex_10, "
            + "byte2_1, byte2_2, byte2_3, byte2_4, byte2_5, byte2_6, byte2_7, byte2_8, "
            + "byte2_9, byte2_10, "
            + "msc_location, vlr_location";
    static final String BY_NUMBER = "SELECT s_id FROM subscriber WHERE sub_nbr = ?";
    static final String BY_ID_AND_NUMBER = "SELECT s_id FROM subscriber WHERE s_id = ? AND sub_nbr = ?";
    static final String MOVE = "UPDATE subscriber SET vlr_location = ? WHERE s_id = ?";
    static final String FACILITIES = "SELECT sf_type FROM special_facility WHERE s_id = ?";
    static final String INSERT_FORWARDING =
            "INSERT INTO call_forwarding (s_id, sf_type, start_time, end_time, numberx) VALUES (?, ?, ?, ?, ?)";
    static final String DELETE_FORWARDING =
            "DELETE FROM call_forwarding WHERE s_id = ? AND sf_type = ? AND start_time = ?";

    private Sql() {}
}
