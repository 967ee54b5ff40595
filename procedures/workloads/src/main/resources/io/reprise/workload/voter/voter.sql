-- Voter. The sums by phone number and by contestant and state stand in tables that Vote maintains; partitioned on the
-- area code, all that one vote touches is in one bucket.

CREATE TABLE contestants (
  contestant_number INTEGER NOT NULL,
  contestant_name VARCHAR(50) NOT NULL,
  PRIMARY KEY (contestant_number) USING HASH
);

CREATE TABLE area_code_state (
  area_code SMALLINT NOT NULL,
  state VARCHAR(2) NOT NULL,
  PRIMARY KEY (area_code) USING HASH
);

CREATE TABLE votes (
  area_code SMALLINT NOT NULL,
  phone_number BIGINT NOT NULL,
  state VARCHAR(2) NOT NULL,
  contestant_number INTEGER NOT NULL
);
PARTITION TABLE votes ON COLUMN area_code;

CREATE TABLE votes_by_phone_number (
  area_code SMALLINT NOT NULL,
  phone_number BIGINT NOT NULL,
  num_votes INTEGER NOT NULL,
  PRIMARY KEY (phone_number, area_code) USING HASH
);
PARTITION TABLE votes_by_phone_number ON COLUMN area_code;

CREATE TABLE votes_by_contestant_state (
  area_code SMALLINT NOT NULL,
  contestant_number INTEGER NOT NULL,
  state VARCHAR(2) NOT NULL,
  num_votes BIGINT NOT NULL,
  PRIMARY KEY (area_code, contestant_number) USING HASH
);
PARTITION TABLE votes_by_contestant_state ON COLUMN area_code;

CREATE PROCEDURE PARTITION ON TABLE votes COLUMN area_code PARAMETER 0
  FROM CLASS io.reprise.workload.voter.Vote;
CREATE PROCEDURE FROM CLASS io.reprise.workload.voter.Results;
CREATE PROCEDURE FROM CLASS io.reprise.workload.voter.GetContestantNames;
CREATE PROCEDURE FROM CLASS io.reprise.workload.voter.Initialize;
