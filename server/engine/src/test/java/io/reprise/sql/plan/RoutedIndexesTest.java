package io.reprise.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Catalog;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.sql.place.RoutedIndexes;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoutedIndexesTest {
    private static final Catalog CATALOG = CatalogScript.load("""
            CREATE TABLE customer (id BIGINT NOT NULL, name VARCHAR(20) NOT NULL, PRIMARY KEY (id) USING HASH);
            PARTITION TABLE customer ON COLUMN id;
            CREATE INDEX customer_names ON customer (id, name) USING HASH;
            CREATE TABLE bill (customer BIGINT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (customer, number) USING HASH);
            PARTITION TABLE bill ON COLUMN customer;
            CREATE INDEX bills ON bill (customer) USING HASH;
            CREATE TABLE visit (customer BIGINT NOT NULL, PRIMARY KEY (customer) USING ORDERED);
            PARTITION TABLE visit ON COLUMN customer;
            CREATE TABLE country (id BIGINT NOT NULL, PRIMARY KEY (id) USING HASH);
            """);

    private static List<String> indexes(String sql) {
        return RoutedIndexes.of(StatementPlanner.plan(CATALOG, sql).fragment()).stream()
                .map(routed -> routed.table().name() + "." + routed.index().name())
                .toList();
    }

    @Test
    void shouldNameTheHashIndexOnThePartitioningColumnWhenAStatementEntersIt() {
        assertThat(indexes("SELECT name FROM customer WHERE id = ?")).containsExactly("CUSTOMER.CUSTOMER_PK");
        assertThat(indexes("UPDATE customer SET name = ? WHERE id = ?")).containsExactly("CUSTOMER.CUSTOMER_PK");
        assertThat(indexes("DELETE FROM customer WHERE id = ?")).containsExactly("CUSTOMER.CUSTOMER_PK");
        assertThat(indexes("SELECT COUNT(*) FROM bill WHERE customer = ?")).containsExactly("BILL.BILLS");
    }

    @Test
    void shouldNameThoseThatAnInsertedRowGoesInto() {
        assertThat(indexes("INSERT INTO customer VALUES (?, ?)")).containsExactly("CUSTOMER.CUSTOMER_PK");
        assertThat(indexes("INSERT INTO bill VALUES (?, ?)")).containsExactly("BILL.BILLS");
    }

    @Test
    void shouldNameNoneWhenTheKeyIsNotThePartitioningValueAlone() {
        assertThat(indexes("SELECT number FROM bill WHERE customer = ? AND number = ?"))
                .isEmpty();
        assertThat(indexes("SELECT customer FROM visit WHERE customer = ?")).isEmpty();
        assertThat(indexes("SELECT id FROM country WHERE id = ?")).isEmpty();
        assertThat(indexes("SELECT name FROM customer")).isEmpty();
    }
}
