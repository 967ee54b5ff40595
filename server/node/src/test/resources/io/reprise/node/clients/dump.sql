SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE public.kinds (
    id integer NOT NULL,
    name text NOT NULL,
    at timestamp with time zone DEFAULT now(),
    price numeric(10,2),
    tags text,
    ok boolean DEFAULT false,
    kind character(3) DEFAULT 'abc'::bpchar,
    u uuid,
    d date,
    j jsonb,
    r real,
    x double precision,
    b bytea,
    CONSTRAINT kinds_price_check CHECK ((price > (0)::numeric))
);

ALTER TABLE public.kinds OWNER TO ann;

COMMENT ON TABLE public.kinds IS 'things';

CREATE VIEW public.cheap AS
 SELECT kinds.id,
    kinds.name
   FROM public.kinds
  WHERE (kinds.price < (10)::numeric);

ALTER TABLE public.cheap OWNER TO ann;

CREATE SEQUENCE public.kinds_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER TABLE public.kinds_id_seq OWNER TO ann;

ALTER SEQUENCE public.kinds_id_seq OWNED BY public.kinds.id;

CREATE TABLE public.pgbench_accounts (
    aid integer NOT NULL,
    bid integer,
    abalance integer,
    filler character(84)
)
WITH (fillfactor='100');

ALTER TABLE public.pgbench_accounts OWNER TO ann;

CREATE TABLE public.pgbench_branches (
    bid integer NOT NULL,
    bbalance integer,
    filler character(88)
)
WITH (fillfactor='100');

ALTER TABLE public.pgbench_branches OWNER TO ann;

CREATE TABLE public.pgbench_history (
    tid integer,
    bid integer,
    aid integer,
    delta integer,
    mtime timestamp without time zone,
    filler character(22)
);

ALTER TABLE public.pgbench_history OWNER TO ann;

CREATE TABLE public.pgbench_tellers (
    tid integer NOT NULL,
    bid integer,
    tbalance integer,
    filler character(84)
)
WITH (fillfactor='100');

ALTER TABLE public.pgbench_tellers OWNER TO ann;

ALTER TABLE ONLY public.kinds ALTER COLUMN id SET DEFAULT nextval('public.kinds_id_seq'::regclass);

COPY public.kinds (id, name, at, price, tags, ok, kind, u, d, j, r, x, b) FROM stdin;
1	a	2026-11-27 18:38:15.30457+00	1.50	\N	f	abc	123e4567-e89b-12d3-a456-426614174000	2026-01-31	{"a": 1}	1.5	2.5	\\x0102
2	b	2026-11-27 18:38:15.30457+00	\N	\N	f	abc	\N	\N	\N	\N	\N	\N
\.

COPY public.pgbench_accounts (aid, bid, abalance, filler) FROM stdin;
1	1	0	\N
2	1	0	a
\.

COPY public.pgbench_branches (bid, bbalance, filler) FROM stdin;
1	0	\N
\.

COPY public.pgbench_history (tid, bid, aid, delta, mtime, filler) FROM stdin;
\.

COPY public.pgbench_tellers (tid, bid, tbalance, filler) FROM stdin;
1	1	0	\N
2	1	0	\N
3	1	0	\N
4	1	0	\N
5	1	0	\N
6	1	0	\N
7	1	0	\N
8	1	0	\N
9	1	0	\N
10	1	0	\N
\.

SELECT pg_catalog.setval('public.kinds_id_seq', 2, true);

ALTER TABLE ONLY public.kinds
    ADD CONSTRAINT kinds_name_key UNIQUE (name);

ALTER TABLE ONLY public.kinds
    ADD CONSTRAINT kinds_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.pgbench_accounts
    ADD CONSTRAINT pgbench_accounts_pkey PRIMARY KEY (aid);

ALTER TABLE ONLY public.pgbench_branches
    ADD CONSTRAINT pgbench_branches_pkey PRIMARY KEY (bid);

ALTER TABLE ONLY public.pgbench_tellers
    ADD CONSTRAINT pgbench_tellers_pkey PRIMARY KEY (tid);

CREATE INDEX kinds_price ON public.kinds USING btree (price, name);

ALTER TABLE ONLY public.pgbench_accounts
    ADD CONSTRAINT pgbench_accounts_bid_fkey FOREIGN KEY (bid) REFERENCES public.pgbench_branches(bid);

ALTER TABLE ONLY public.pgbench_history
    ADD CONSTRAINT pgbench_history_aid_fkey FOREIGN KEY (aid) REFERENCES public.pgbench_accounts(aid);

ALTER TABLE ONLY public.pgbench_history
    ADD CONSTRAINT pgbench_history_bid_fkey FOREIGN KEY (bid) REFERENCES public.pgbench_branches(bid);

ALTER TABLE ONLY public.pgbench_history
    ADD CONSTRAINT pgbench_history_tid_fkey FOREIGN KEY (tid) REFERENCES public.pgbench_tellers(tid);

ALTER TABLE ONLY public.pgbench_tellers
    ADD CONSTRAINT pgbench_tellers_bid_fkey FOREIGN KEY (bid) REFERENCES public.pgbench_branches(bid);
