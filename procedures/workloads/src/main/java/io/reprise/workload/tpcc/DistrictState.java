package io.reprise.workload.tpcc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The rows of one district, as far as the consistency conditions need them, and the conditions on them. */
final class DistrictState {
    private final TpccChecker checker;
    private final long wId;
    private final long dId;
    private final String where;
    private final int nextOrderId;

    /** By order id. */
    private Order[] orders;

    private int orderCount;
    private int newOrderCount;
    private int lowestNewOrder = Integer.MAX_VALUE;
    private int highestNewOrder;
    private int highestOrder;
    private long promisedLines;
    private long lines;
    private long deliveries;
    private final List<Customer> customers = new ArrayList<>();

    private record Customer(int id, long balance, long paid) {}

    private static final class Order {
        boolean present;
        boolean carried;
        boolean undelivered;
        int customerId;
        int promisedLines;
        int lines;
        int deliveredLines;
        long amount;
    }

    DistrictState(TpccChecker checker, long wId, long dId, int nextOrderId) {
        this.checker = checker;
        this.wId = wId;
        this.dId = dId;
        this.nextOrderId = nextOrderId;
        this.where = "warehouse " + wId + " district " + dId;
        this.orders = new Order[Math.max(1, nextOrderId)];
    }

    long dId() {
        return dId;
    }

    int nextOrderId() {
        return nextOrderId;
    }

    void newOrder(int id) {
        at(id).undelivered = true;
        newOrderCount++;
        lowestNewOrder = Math.min(lowestNewOrder, id);
        highestNewOrder = Math.max(highestNewOrder, id);
    }

    void order(int id, int customerId, boolean carried, int orderLines) {
        Order order = at(id);
        order.present = true;
        order.customerId = customerId;
        order.carried = carried;
        order.promisedLines = orderLines;
        orderCount++;
        promisedLines += orderLines;
        highestOrder = Math.max(highestOrder, id);
    }

    void lines(int orderId, int count, int delivered, long cents) {
        Order order = at(orderId);
        order.lines = count;
        order.deliveredLines = delivered;
        order.amount = cents;
        lines += count;
    }

    void customer(int id, long balance, long paid, long deliveryCount) {
        customers.add(new Customer(id, balance, paid));
        deliveries += deliveryCount;
    }

    void check() {
        checker.expectEqual(2, where, "D_NEXT_O_ID - 1", nextOrderId - 1, "max(O_ID)", highestOrder);
        if (newOrderCount > 0) {
            checker.expectEqual(2, where, "D_NEXT_O_ID - 1", nextOrderId - 1, "max(NO_O_ID)", highestNewOrder);
            int range = highestNewOrder - lowestNewOrder + 1;
            checker.expectEqual(3, where, "the range of NO_O_ID", range, "the number of NEW-ORDER rows", newOrderCount);
        }
        checker.expectEqual(4, where, "sum(O_OL_CNT)", promisedLines, "the number of ORDER-LINE rows", lines);
        int delivered = orderCount - newOrderCount;
        long expected = checker.deliveredAtFirst() + deliveries;
        checker.expectEqual(11, where, "orders without NEW-ORDER row", delivered, "deliveries", expected);
        for (int id = 0; id < orders.length; id++) {
            if (orders[id] != null) {
                checkOrder(where + " order " + id, orders[id]);
            }
        }
        checkCustomers();
    }

    private void checkOrder(String which, Order order) {
        if (!order.present) {
            checker.violation(order.undelivered ? 5 : 6, which + " is missing in ORDER but referred to");
            return;
        }
        if (order.carried == order.undelivered) {
            checker.violation(
                    5, which + (order.carried ? " has a carrier and" : " has no carrier and no") + " row in NEW-ORDER");
        }
        checker.expectEqual(6, which, "O_OL_CNT", order.promisedLines, "the number of lines", order.lines);
        int expected = order.carried ? order.lines : 0;
        checker.expectEqual(
                7, which, "the number of delivered lines", order.deliveredLines, "by O_CARRIER_ID", expected);
    }

    private void checkCustomers() {
        long[] delivered =
                new long[1 + customers.stream().mapToInt(Customer::id).max().orElse(0)];
        for (Order order : orders) {
            if (order != null && order.deliveredLines > 0) {
                if (order.customerId >= delivered.length) {
                    checker.violation(10, where + " has orders of customer " + order.customerId + ", who is missing");
                    return;
                }
                delivered[order.customerId] += order.amount;
            }
        }
        for (Customer customer : customers) {
            String which = where + " customer " + customer.id;
            long sold = delivered[customer.id];
            long paid = checker.paidBy(wId, dId, customer.id);
            checker.expectEqual(
                    10, which, "C_BALANCE", customer.balance, "sum(OL_AMOUNT) - sum(H_AMOUNT)", sold - paid);
            checker.expectEqual(
                    12, which, "C_BALANCE + C_YTD_PAYMENT", customer.balance + customer.paid, "sum(OL_AMOUNT)", sold);
        }
    }

    /** Order ids at or above D_NEXT_O_ID should not exist, but if they do, they are to be reported. */
    private Order at(int id) {
        if (id >= orders.length) {
            orders = Arrays.copyOf(orders, id + 1);
        }
        if (orders[id] == null) {
            orders[id] = new Order();
        }
        return orders[id];
    }
}
