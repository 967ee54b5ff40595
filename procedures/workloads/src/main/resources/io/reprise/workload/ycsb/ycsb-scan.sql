-- What workload E adds: records in the order of their keys.

CREATE INDEX usertable_in_order ON usertable (ycsb_key) USING ORDERED;
CREATE PROCEDURE FROM CLASS io.reprise.workload.ycsb.ScanRecords;
