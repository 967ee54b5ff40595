-- YCSB. One table; workload E, which scans, adds what ycsb-scan.sql says.

CREATE TABLE usertable (
  ycsb_key BIGINT NOT NULL,
  field0 VARCHAR(100) NOT NULL,
  field1 VARCHAR(100) NOT NULL,
  field2 VARCHAR(100) NOT NULL,
  field3 VARCHAR(100) NOT NULL,
  field4 VARCHAR(100) NOT NULL,
  field5 VARCHAR(100) NOT NULL,
  field6 VARCHAR(100) NOT NULL,
  field7 VARCHAR(100) NOT NULL,
  field8 VARCHAR(100) NOT NULL,
  field9 VARCHAR(100) NOT NULL,
  PRIMARY KEY (ycsb_key) USING HASH
);
PARTITION TABLE usertable ON COLUMN ycsb_key;

CREATE PROCEDURE PARTITION ON TABLE usertable COLUMN ycsb_key PARAMETER 0
  FROM CLASS io.reprise.workload.ycsb.ReadRecord;
CREATE PROCEDURE PARTITION ON TABLE usertable COLUMN ycsb_key PARAMETER 0
  FROM CLASS io.reprise.workload.ycsb.UpdateRecord;
CREATE PROCEDURE PARTITION ON TABLE usertable COLUMN ycsb_key PARAMETER 0
  FROM CLASS io.reprise.workload.ycsb.InsertRecord;
CREATE PROCEDURE PARTITION ON TABLE usertable COLUMN ycsb_key PARAMETER 0
  FROM CLASS io.reprise.workload.ycsb.ReadModifyWriteRecord;
CREATE PROCEDURE PARTITION ON TABLE usertable COLUMN ycsb_key PARAMETER 0
  FROM CLASS io.reprise.workload.ycsb.LoadRecords;
