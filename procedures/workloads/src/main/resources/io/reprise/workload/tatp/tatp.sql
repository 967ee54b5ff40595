-- TATP. Everything is partitioned on the subscriber.

CREATE TABLE subscriber (
  s_id INTEGER NOT NULL,
  sub_nbr VARCHAR(15) NOT NULL,
  bit_1 TINYINT NOT NULL,
  bit_2 TINYINT NOT NULL,
  bit_3 TINYINT NOT NULL,
  bit_4 TINYINT NOT NULL,
  bit_5 TINYINT NOT NULL,
  bit_6 TINYINT NOT NULL,
  bit_7 TINYINT NOT NULL,
  bit_8 TINYINT NOT NULL,
  bit_9 TINYINT NOT NULL,
  bit_10 TINYINT NOT NULL,
  hex_1 TINYINT NOT NULL,
  hex_2 TINYINT NOT NULL,
  hex_3 TINYINT NOT NULL,
  hex_4 TINYINT NOT NULL,
  hex_5 TINYINT NOT NULL,
  hex_6 TINYINT NOT NULL,
  hex_7 TINYINT NOT NULL,
  hex_8 TINYINT NOT NULL,
  hex_9 TINYINT NOT NULL,
  hex_10 TINYINT NOT NULL,
  byte2_1 SMALLINT NOT NULL,
  byte2_2 SMALLINT NOT NULL,
  byte2_3 SMALLINT NOT NULL,
  byte2_4 SMALLINT NOT NULL,
  byte2_5 SMALLINT NOT NULL,
  byte2_6 SMALLINT NOT NULL,
  byte2_7 SMALLINT NOT NULL,
  byte2_8 SMALLINT NOT NULL,
  byte2_9 SMALLINT NOT NULL,
  byte2_10 SMALLINT NOT NULL,
  msc_location BIGINT NOT NULL,
  vlr_location BIGINT NOT NULL,
  PRIMARY KEY (s_id) USING HASH
);
PARTITION TABLE subscriber ON COLUMN s_id;
CREATE INDEX subscriber_by_number ON subscriber (sub_nbr) USING HASH;

CREATE TABLE access_info (
  s_id INTEGER NOT NULL,
  ai_type TINYINT NOT NULL,
  data1 SMALLINT NOT NULL,
  data2 SMALLINT NOT NULL,
  data3 VARCHAR(3) NOT NULL,
  data4 VARCHAR(5) NOT NULL,
  PRIMARY KEY (s_id, ai_type) USING HASH
);
PARTITION TABLE access_info ON COLUMN s_id;

CREATE TABLE special_facility (
  s_id INTEGER NOT NULL,
  sf_type TINYINT NOT NULL,
  is_active TINYINT NOT NULL,
  error_cntrl SMALLINT NOT NULL,
  data_a SMALLINT NOT NULL,
  data_b VARCHAR(5) NOT NULL,
  PRIMARY KEY (s_id, sf_type) USING ORDERED
);
PARTITION TABLE special_facility ON COLUMN s_id;

CREATE TABLE call_forwarding (
  s_id INTEGER NOT NULL,
  sf_type TINYINT NOT NULL,
  start_time TINYINT NOT NULL,
  end_time TINYINT NOT NULL,
  numberx VARCHAR(15) NOT NULL,
  PRIMARY KEY (s_id, sf_type, start_time) USING ORDERED
);
PARTITION TABLE call_forwarding ON COLUMN s_id;

CREATE PROCEDURE PARTITION ON TABLE subscriber COLUMN s_id PARAMETER 0
  FROM CLASS io.reprise.workload.tatp.GetSubscriberData;
CREATE PROCEDURE PARTITION ON TABLE subscriber COLUMN s_id PARAMETER 0
  FROM CLASS io.reprise.workload.tatp.GetNewDestination;
CREATE PROCEDURE PARTITION ON TABLE subscriber COLUMN s_id PARAMETER 0
  FROM CLASS io.reprise.workload.tatp.GetAccessData;
CREATE PROCEDURE PARTITION ON TABLE subscriber COLUMN s_id PARAMETER 0
  FROM CLASS io.reprise.workload.tatp.UpdateSubscriberData;
CREATE PROCEDURE PARTITION ON TABLE subscriber COLUMN s_id PARAMETER 0
  FROM CLASS io.reprise.workload.tatp.UpdateLocationRouted;
CREATE PROCEDURE PARTITION ON TABLE subscriber COLUMN s_id PARAMETER 0
  FROM CLASS io.reprise.workload.tatp.InsertCallForwardingRouted;
CREATE PROCEDURE PARTITION ON TABLE subscriber COLUMN s_id PARAMETER 0
  FROM CLASS io.reprise.workload.tatp.DeleteCallForwardingRouted;
CREATE PROCEDURE PARTITION ON TABLE subscriber COLUMN s_id PARAMETER 0
  FROM CLASS io.reprise.workload.tatp.LoadSubscribers;
CREATE PROCEDURE FROM CLASS io.reprise.workload.tatp.UpdateLocation;
CREATE PROCEDURE FROM CLASS io.reprise.workload.tatp.InsertCallForwarding;
CREATE PROCEDURE FROM CLASS io.reprise.workload.tatp.DeleteCallForwarding;
