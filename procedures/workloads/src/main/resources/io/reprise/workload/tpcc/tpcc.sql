-- TPC-C, revision 5.11. Types are as tight as the specification's domains allow, so that each key but a customer's
-- name is one or two 64-bit words. Columns that most transactions touch come first, to lie in one cache line with the
-- key. Everything but ITEM is partitioned on its warehouse.

CREATE TABLE item (
  i_id INTEGER NOT NULL,
  i_im_id INTEGER NOT NULL,
  i_name VARCHAR(24) NOT NULL,
  i_price DECIMAL(5,2) NOT NULL,
  i_data VARCHAR(50) NOT NULL,
  PRIMARY KEY (i_id) USING HASH
);

CREATE TABLE warehouse (
  w_id SMALLINT NOT NULL,
  w_name VARCHAR(10) NOT NULL,
  w_street_1 VARCHAR(20) NOT NULL,
  w_street_2 VARCHAR(20) NOT NULL,
  w_city VARCHAR(20) NOT NULL,
  w_state VARCHAR(2) NOT NULL,
  w_zip VARCHAR(9) NOT NULL,
  w_tax DECIMAL(4,4) NOT NULL,
  w_ytd DECIMAL(12,2) NOT NULL,
  PRIMARY KEY (w_id) USING HASH
);
PARTITION TABLE warehouse ON COLUMN w_id;

CREATE TABLE district (
  d_w_id SMALLINT NOT NULL,
  d_id TINYINT NOT NULL,
  d_name VARCHAR(10) NOT NULL,
  d_street_1 VARCHAR(20) NOT NULL,
  d_street_2 VARCHAR(20) NOT NULL,
  d_city VARCHAR(20) NOT NULL,
  d_state VARCHAR(2) NOT NULL,
  d_zip VARCHAR(9) NOT NULL,
  d_tax DECIMAL(4,4) NOT NULL,
  d_ytd DECIMAL(12,2) NOT NULL,
  d_next_o_id INTEGER NOT NULL,
  PRIMARY KEY (d_w_id, d_id) USING HASH
);
PARTITION TABLE district ON COLUMN d_w_id;

CREATE TABLE customer (
  c_w_id SMALLINT NOT NULL,
  c_d_id TINYINT NOT NULL,
  c_id INTEGER NOT NULL,
  c_discount DECIMAL(4,4) NOT NULL,
  c_balance DECIMAL(12,2) NOT NULL,
  c_ytd_payment DECIMAL(12,2) NOT NULL,
  c_payment_cnt INTEGER NOT NULL,
  c_delivery_cnt INTEGER NOT NULL,
  c_credit VARCHAR(2) NOT NULL,
  c_last VARCHAR(16) NOT NULL,
  c_first VARCHAR(16) NOT NULL,
  c_middle VARCHAR(2) NOT NULL,
  c_street_1 VARCHAR(20) NOT NULL,
  c_street_2 VARCHAR(20) NOT NULL,
  c_city VARCHAR(20) NOT NULL,
  c_state VARCHAR(2) NOT NULL,
  c_zip VARCHAR(9) NOT NULL,
  c_phone VARCHAR(16) NOT NULL,
  c_since TIMESTAMP NOT NULL,
  c_credit_lim DECIMAL(12,2) NOT NULL,
  c_data VARCHAR(500) NOT NULL,
  PRIMARY KEY (c_w_id, c_d_id, c_id) USING HASH
);
PARTITION TABLE customer ON COLUMN c_w_id;
CREATE INDEX customer_by_name ON customer (c_w_id, c_d_id, c_last) USING HASH;

CREATE TABLE history (
  h_c_id INTEGER NOT NULL,
  h_c_d_id TINYINT NOT NULL,
  h_c_w_id SMALLINT NOT NULL,
  h_d_id TINYINT NOT NULL,
  h_w_id SMALLINT NOT NULL,
  h_date TIMESTAMP NOT NULL,
  h_amount DECIMAL(6,2) NOT NULL,
  h_data VARCHAR(24) NOT NULL
);
PARTITION TABLE history ON COLUMN h_w_id;

CREATE TABLE orders (
  o_w_id SMALLINT NOT NULL,
  o_d_id TINYINT NOT NULL,
  o_id INTEGER NOT NULL,
  o_c_id INTEGER NOT NULL,
  o_entry_d TIMESTAMP NOT NULL,
  o_carrier_id TINYINT,
  o_ol_cnt TINYINT NOT NULL,
  o_all_local TINYINT NOT NULL,
  PRIMARY KEY (o_w_id, o_d_id, o_id) USING HASH
);
PARTITION TABLE orders ON COLUMN o_w_id;
CREATE INDEX orders_by_customer ON orders (o_w_id, o_d_id, o_c_id, o_id) USING ORDERED;

CREATE TABLE new_order (
  no_w_id SMALLINT NOT NULL,
  no_d_id TINYINT NOT NULL,
  no_o_id INTEGER NOT NULL,
  PRIMARY KEY (no_w_id, no_d_id, no_o_id) USING ORDERED
);
PARTITION TABLE new_order ON COLUMN no_w_id;

CREATE TABLE order_line (
  ol_w_id SMALLINT NOT NULL,
  ol_d_id TINYINT NOT NULL,
  ol_o_id INTEGER NOT NULL,
  ol_number TINYINT NOT NULL,
  ol_i_id INTEGER NOT NULL,
  ol_supply_w_id SMALLINT NOT NULL,
  ol_delivery_d TIMESTAMP,
  ol_quantity TINYINT NOT NULL,
  ol_amount DECIMAL(6,2) NOT NULL,
  ol_dist_info VARCHAR(24) NOT NULL,
  PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number) USING ORDERED
);
PARTITION TABLE order_line ON COLUMN ol_w_id;

CREATE TABLE stock (
  s_w_id SMALLINT NOT NULL,
  s_i_id INTEGER NOT NULL,
  s_quantity SMALLINT NOT NULL,
  s_ytd INTEGER NOT NULL,
  s_order_cnt INTEGER NOT NULL,
  s_remote_cnt INTEGER NOT NULL,
  s_data VARCHAR(50) NOT NULL,
  s_dist_01 VARCHAR(24) NOT NULL,
  s_dist_02 VARCHAR(24) NOT NULL,
  s_dist_03 VARCHAR(24) NOT NULL,
  s_dist_04 VARCHAR(24) NOT NULL,
  s_dist_05 VARCHAR(24) NOT NULL,
  s_dist_06 VARCHAR(24) NOT NULL,
  s_dist_07 VARCHAR(24) NOT NULL,
  s_dist_08 VARCHAR(24) NOT NULL,
  s_dist_09 VARCHAR(24) NOT NULL,
  s_dist_10 VARCHAR(24) NOT NULL,
  PRIMARY KEY (s_w_id, s_i_id) USING HASH
);
PARTITION TABLE stock ON COLUMN s_w_id;

CREATE PROCEDURE PARTITION ON TABLE warehouse COLUMN w_id PARAMETER 0
  AND ON TABLE stock COLUMN s_w_id PARAMETER 4
  FROM CLASS io.reprise.workload.tpcc.NewOrder;
CREATE PROCEDURE PARTITION ON TABLE warehouse COLUMN w_id PARAMETER 0
  AND ON TABLE customer COLUMN c_w_id PARAMETER 3
  FROM CLASS io.reprise.workload.tpcc.Payment;
CREATE PROCEDURE PARTITION ON TABLE warehouse COLUMN w_id PARAMETER 0
  FROM CLASS io.reprise.workload.tpcc.OrderStatus;
CREATE PROCEDURE PARTITION ON TABLE warehouse COLUMN w_id PARAMETER 0
  FROM CLASS io.reprise.workload.tpcc.Delivery;
CREATE PROCEDURE PARTITION ON TABLE warehouse COLUMN w_id PARAMETER 0
  FROM CLASS io.reprise.workload.tpcc.StockLevel;

CREATE PROCEDURE FROM CLASS io.reprise.workload.tpcc.LoadItems;
CREATE PROCEDURE PARTITION ON TABLE warehouse COLUMN w_id PARAMETER 0
  FROM CLASS io.reprise.workload.tpcc.LoadWarehouse;
CREATE PROCEDURE PARTITION ON TABLE warehouse COLUMN w_id PARAMETER 0
  FROM CLASS io.reprise.workload.tpcc.LoadStock;
CREATE PROCEDURE PARTITION ON TABLE warehouse COLUMN w_id PARAMETER 0
  FROM CLASS io.reprise.workload.tpcc.LoadCustomers;
CREATE PROCEDURE PARTITION ON TABLE warehouse COLUMN w_id PARAMETER 0
  FROM CLASS io.reprise.workload.tpcc.LoadOrders;
