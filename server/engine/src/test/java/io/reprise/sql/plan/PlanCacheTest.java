package io.reprise.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.catalog.Catalog;
import io.reprise.sql.bind.SqlPlanningException;
import org.junit.jupiter.api.Test;

final class PlanCacheTest {
    private static final Catalog CATALOG = PlanFixture.CATALOG;
    private final PlanCache cache = new PlanCache(2);

    @Test
    void shouldPlanOnceWhenTextIsTheSame() {
        StatementPlan first = cache.plan(CATALOG, "SELECT 1");

        assertThat(cache.plan(CATALOG, "SELECT 1")).isSameAs(first);
    }

    @Test
    void shouldDropTheLeastRecentlyUsedWhenFull() {
        StatementPlan first = cache.plan(CATALOG, "SELECT 1");
        StatementPlan second = cache.plan(CATALOG, "SELECT 2");
        cache.plan(CATALOG, "SELECT 1");
        cache.plan(CATALOG, "SELECT 3");

        assertThat(cache.size()).isEqualTo(2);
        assertThat(cache.plan(CATALOG, "SELECT 1")).isSameAs(first);
        assertThat(cache.plan(CATALOG, "SELECT 2")).isNotSameAs(second);
    }

    @Test
    void shouldPlanAgainWhenCatalogHasChanged() {
        StatementPlan before = cache.plan(CATALOG, "SELECT 1");
        Catalog changed =
                new Catalog(CATALOG.version() + 1, CATALOG.nextTableId(), CATALOG.tables(), CATALOG.procedures());

        assertThat(cache.plan(changed, "SELECT 1")).isNotSameAs(before);
        assertThat(cache.size()).isEqualTo(1);
    }

    @Test
    void shouldKeepNothingWhenRefused() {
        assertThatThrownBy(() -> cache.plan(CATALOG, "SELECT nothing")).isInstanceOf(SqlPlanningException.class);

        assertThat(cache.size()).isZero();
    }
}
