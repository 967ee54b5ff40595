-- Smallbank: customers by number, as in its main-memory variants.

CREATE TABLE accounts (
  custid BIGINT NOT NULL,
  name VARCHAR(64) NOT NULL,
  PRIMARY KEY (custid) USING HASH
);
PARTITION TABLE accounts ON COLUMN custid;

CREATE TABLE savings (
  custid BIGINT NOT NULL,
  bal DECIMAL(15,2) NOT NULL,
  PRIMARY KEY (custid) USING HASH
);
PARTITION TABLE savings ON COLUMN custid;

CREATE TABLE checking (
  custid BIGINT NOT NULL,
  bal DECIMAL(15,2) NOT NULL,
  PRIMARY KEY (custid) USING HASH
);
PARTITION TABLE checking ON COLUMN custid;

CREATE PROCEDURE PARTITION ON TABLE accounts COLUMN custid PARAMETER 0
  FROM CLASS io.reprise.workload.smallbank.Balance;
CREATE PROCEDURE PARTITION ON TABLE accounts COLUMN custid PARAMETER 0
  FROM CLASS io.reprise.workload.smallbank.DepositChecking;
CREATE PROCEDURE PARTITION ON TABLE accounts COLUMN custid PARAMETER 0
  FROM CLASS io.reprise.workload.smallbank.TransactSavings;
CREATE PROCEDURE PARTITION ON TABLE accounts COLUMN custid PARAMETER 0
  AND ON TABLE accounts COLUMN custid PARAMETER 1
  FROM CLASS io.reprise.workload.smallbank.Amalgamate;
CREATE PROCEDURE PARTITION ON TABLE accounts COLUMN custid PARAMETER 0
  FROM CLASS io.reprise.workload.smallbank.WriteCheck;
CREATE PROCEDURE PARTITION ON TABLE accounts COLUMN custid PARAMETER 0
  AND ON TABLE accounts COLUMN custid PARAMETER 1
  FROM CLASS io.reprise.workload.smallbank.SendPayment;
CREATE PROCEDURE PARTITION ON TABLE accounts COLUMN custid PARAMETER 0
  FROM CLASS io.reprise.workload.smallbank.LoadAccounts;
