package io.reprise.workload;
import io.reprise.catalog.*; import io.reprise.sql.parse.CatalogScript; import io.reprise.sql.plan.*; import io.reprise.procedure.*; import io.reprise.sql.compile.*; import java.util.*;
public class ScratchPlans {
  public static void main(String[] a) throws Exception {
    List<Workload> ws = new ArrayList<>(WorkloadSchemaTest.workloads().toList());
    Set<String> seen=new HashSet<>();
    for (Workload w: ws) { Catalog c=CatalogScript.load(w.ddl()); if(a.length>0&&!w.name().equals(a[0])) continue;
      for (ProcedureDefinition p: c.procedures().values()) {
        if(!seen.add(p.name())) continue;
        List<String> texts=new ArrayList<>();
        Binding b=new Binding(){ protected Statement statement(String t){texts.add(t);return null;} protected ResultTable table(String... n){return null;} protected long timestampMicros(){return 0;} protected long transactionId(){return 0;} protected TransactionRandom random(){return null;} protected void flush(){} protected int savepoint(){return 0;} protected void rollbackTo(int s){} };
        String cn=((ProcedureDefinition.FromClass)p.source()).className();
        b.during(()->{try{return Class.forName(cn).getDeclaredConstructor().newInstance();}catch(Exception e){throw new RuntimeException(e);}});
        System.out.println("##### "+w.name()+" "+p.name());
        for(String t:texts){ try{ StatementPlan pl=StatementPlanner.plan(c,t); System.out.println("-- "+t+"\n   params "+pl.parameters()+"\n"+pl.explanation().indent(6)); try { StatementFactory.compile(pl);} catch(Throwable e){ System.out.println("!!!! COMPILE "+e); e.printStackTrace(System.out);} }catch(Throwable e){System.out.println("!!!! PLAN "+t+" "+e); } }
      } }
  }
}
