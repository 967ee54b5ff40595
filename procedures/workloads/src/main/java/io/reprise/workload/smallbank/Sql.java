package io.reprise.workload.smallbank;

/** The statements that procedures share. */
final class Sql {
    static final String ACCOUNT = "SELECT name FROM accounts WHERE custid = ?";
    static final String SAVINGS = "SELECT bal FROM savings WHERE custid = ?";
    static final String CHECKING = "SELECT bal FROM checking WHERE custid = ?";
    static final String ADD_TO_SAVINGS = "UPDATE savings SET bal = bal + ? WHERE custid = ?";
    static final String ADD_TO_CHECKING = "UPDATE checking SET bal = bal + ? WHERE custid = ?";
    static final String SET_SAVINGS = "UPDATE savings SET bal = ? WHERE custid = ?";
    static final String SET_CHECKING = "UPDATE checking SET bal = ? WHERE custid = ?";

    private Sql() {}
}
