package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Schemas of other databases, whose proposals an engine takes. */
final class MigrateCommandTest {
    @TempDir
    Path folder;

    private record Run(int code, String out, String err) {}

    private Run migrate(String script, String... more) throws IOException {
        Path file = Files.writeString(folder.resolve("dump.sql"), script);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        String[] arguments = new String[more.length + 2];
        arguments[0] = "migrate";
        arguments[1] = file.toString();
        System.arraycopy(more, 0, arguments, 2, more.length);
        int code = RepriseCommand.run(out, err, arguments);
        return new Run(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static void take(String schema) {
        try (Reprise engine = Options.create().partitions(2).open()) {
            engine.ddl(schema);
        }
    }

    private static final String SHOP = """
            --
            -- PostgreSQL database dump
            --
            \\restrict abc
            SET statement_timeout = 0;
            SELECT pg_catalog.set_config('search_path', '', false);
            CREATE FUNCTION public.f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END; $$;
            CREATE TABLE public.country (code character(2) NOT NULL, name text DEFAULT 'un;known'::text);
            CREATE TABLE public.customer (
                id bigint NOT NULL,
                email character varying(80) NOT NULL,
                country character(2),
                balance numeric(30,2) DEFAULT 0 NOT NULL,
                tags text[],
                since timestamp(3) with time zone DEFAULT now(),
                CONSTRAINT positive CHECK ((balance >= (0)::numeric))
            );
            CREATE SEQUENCE public.customer_id_seq START WITH 1;
            CREATE TABLE public."order" (
                id bigint DEFAULT nextval('public.order_id_seq'::regclass) NOT NULL,
                customer_id bigint,
                "user" uuid,
                note character varying DEFAULT 'a, b'
            );
            COPY public.country (code, name) FROM stdin;
            de\tGermany; CREATE TABLE no
            fr\tFrance
            \\.
            COPY public.customer (id) FROM stdin;
            """
            + "1\n".repeat(50) + "\\.\n"
            + "COPY public.\"order\" (id) FROM stdin;\n"
            + "1\n".repeat(90) + "\\.\n" + """
            ALTER TABLE ONLY public.country ADD CONSTRAINT country_pkey PRIMARY KEY (code);
            ALTER TABLE ONLY public.customer ADD CONSTRAINT customer_pkey PRIMARY KEY (id);
            ALTER TABLE ONLY public.customer ADD CONSTRAINT customer_email UNIQUE (email);
            ALTER TABLE ONLY public."order" ADD CONSTRAINT order_pkey PRIMARY KEY (id);
            CREATE INDEX order_customer ON public."order" USING btree (customer_id, id DESC);
            CREATE INDEX customer_lower ON public.customer USING btree (lower((email)::text));
            ALTER TABLE ONLY public.customer ADD CONSTRAINT c FOREIGN KEY (country) REFERENCES public.country(code);
            ALTER TABLE ONLY public."order" ADD CONSTRAINT o FOREIGN KEY (customer_id) REFERENCES public.customer(id) ON DELETE CASCADE;
            """;

    @Test
    void shouldKeepCustomersAndTheirOrdersTogetherWhenADumpIsRead() throws Exception {
        Path schema = folder.resolve("schema.sql");

        Run run = migrate(SHOP, "--out", schema.toString());

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .contains(
                        "| country | 2 | replicated |",
                        "| customer | 50 | partitioned on id |",
                        "| order | 90 | partitioned on customer_id |",
                        "order: the primary key (id) becomes (customer_id, id)",
                        "customer: (email) is not unique any more",
                        "order.id: DEFAULT nextval",
                        "left out: `CREATE INDEX customer_lower",
                        "left out: `CREATE FUNCTION");
        String script = Files.readString(schema);
        assertThat(script)
                .contains(
                        "balance DECIMAL(30,2)",
                        "name TEXT DEFAULT 'un;known'",
                        "PARTITION TABLE \"ORDER\" ON COLUMN customer_id;",
                        "PRIMARY KEY (customer_id, id)",
                        "\"USER\" UUID",
                        "since TIMESTAMPTZ DEFAULT NOW",
                        "note TEXT DEFAULT 'a, b'",
                        "CREATE INDEX order_customer ON \"ORDER\" (customer_id, id);",
                        "ALTER TABLE \"ORDER\" ADD FOREIGN KEY (customer_id) REFERENCES customer (id);");
        take(script);
    }

    @Test
    void shouldKeepThePartitioningThatAScriptOfVoltDbHas() throws Exception {
        Run run = migrate("""
                CREATE TABLE votes (phone_number bigint NOT NULL, state varchar(2 BYTES) NOT NULL, contestant integer NOT NULL);
                PARTITION TABLE votes ON COLUMN phone_number;
                CREATE TABLE contestants (number integer NOT NULL, name varchar(50) NOT NULL,
                  CONSTRAINT PK_contestants PRIMARY KEY (number));
                CREATE ASSUMEUNIQUE INDEX by_state ON votes (state);
                CREATE PROCEDURE Results AS SELECT name FROM contestants ORDER BY name;
                CREATE PROCEDURE FROM CLASS voter.Vote;
                """);

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .contains(
                        "| votes | unknown | partitioned on phone_number | the script partitions it so |",
                        "left out: `CREATE PROCEDURE FROM CLASS voter.Vote`",
                        "votes: (state) is not unique any more");
        take(run.out().substring(run.out().indexOf("# Schema") + "# Schema".length()));
    }

    @Test
    void shouldFindTheWarehouseInTheKeysOfTpcc() throws Exception {
        Run run = migrate("""
                CREATE TABLE warehouse (w_id int PRIMARY KEY, w_name varchar(10));
                CREATE TABLE district (d_w_id int NOT NULL REFERENCES warehouse, d_id int NOT NULL, PRIMARY KEY (d_w_id, d_id));
                CREATE TABLE customer (c_w_id int, c_d_id int, c_id int, PRIMARY KEY (c_w_id, c_d_id, c_id),
                  FOREIGN KEY (c_w_id, c_d_id) REFERENCES district (d_w_id, d_id));
                CREATE TABLE item (i_id int PRIMARY KEY, i_name varchar(24));
                CREATE TABLE stock (s_w_id int REFERENCES warehouse (w_id), s_i_id int REFERENCES item (i_id),
                  PRIMARY KEY (s_w_id, s_i_id));
                """);

        assertThat(run.out())
                .contains(
                        "| warehouse | unknown | partitioned on w_id |",
                        "| district | unknown | partitioned on d_w_id |",
                        "| customer | unknown | partitioned on c_w_id |",
                        "| stock | unknown | partitioned on s_w_id |",
                        "| item | unknown | replicated | others refer to it");
        take(run.out().substring(run.out().indexOf("# Schema") + "# Schema".length()));
    }

    @Test
    void shouldDeclareNumbersAlikeThatAForeignKeyCompares() throws Exception {
        Run run = migrate("""
                CREATE TABLE kind (code numeric(20) PRIMARY KEY, name varchar(10));
                CREATE TABLE thing (id bigint PRIMARY KEY, kind numeric(10,2) REFERENCES kind (code));
                CREATE TABLE part (id bigint PRIMARY KEY, thing bigint REFERENCES thing (id), kind numeric(10) REFERENCES kind);
                """);

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .contains(
                        "kind.code: DECIMAL(20,0) becomes DECIMAL(22,2), because a foreign key compares it",
                        "thing.kind: DECIMAL(10,2) becomes DECIMAL(22,2)",
                        "part.kind: DECIMAL(10,0) becomes DECIMAL(22,2)");
        take(run.out().substring(run.out().indexOf("# Schema") + "# Schema".length()));
    }

    @Test
    void shouldSayWhichKeysHaveTooManyDigitsToPartitionATable() throws Exception {
        Run run = migrate("""
                CREATE TABLE a (id numeric(38) PRIMARY KEY, name varchar(10));
                CREATE TABLE b (amount numeric(20,2) PRIMARY KEY);
                CREATE TABLE c (id numeric(18) PRIMARY KEY);
                CREATE TABLE d (x double precision PRIMARY KEY);
                CREATE TABLE e (x bigint);
                """);

        assertThat(run.out())
                .contains(
                        "| a | unknown | replicated | its key id is a DECIMAL(38,0), and no table is partitioned on a DECIMAL of more"
                                + " than 18 digits; if its values have room there, declare it as BIGINT",
                        "| b | unknown | replicated | its key amount is a DECIMAL(20,2)",
                        "declare it as DECIMAL(18,2)",
                        "| c | unknown | partitioned on id | by its own key |",
                        "| d | unknown | replicated | tables are not partitioned on columns of its key's types |",
                        "| e | unknown | replicated | it has no primary key to partition it on |");
        take(run.out().substring(run.out().indexOf("# Schema") + "# Schema".length()));
    }

    @Test
    void shouldSayWhatIsMissingWhenAFileIsNoSchema() throws Exception {
        Run run = migrate("SELECT 1;");

        assertThat(run.code()).isNotZero();
        assertThat(run.err()).contains("has no CREATE TABLE", "pg_dump");
    }
}
