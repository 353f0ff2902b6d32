import type { Knex } from 'knex';

const add = (changes: string) => `
  insert into payment_counts select day, (select free_count_shard()), sum(delta), sum(delta * paid_pence) from (
    select (paid_at at time zone 'Europe/London')::date as day, delta, paid_pence from (${changes}) changed
    where paid_pence > 0 and paid_at is not null and (currency is null or currency = 'gbp')
  ) each group by day having sum(delta) <> 0 or sum(delta * paid_pence) <> 0
  on conflict (day, shard) do update set payments = payment_counts.payments + excluded.payments,
    paid_pence = payment_counts.paid_pence + excluded.paid_pence;`;

const trigger = (event: string, referencing: string) => `
  create trigger stripe_invoices_counted_${event} after ${event} on stripe_invoices ${referencing}
    for each statement execute function count_payments();`;

/** Counts and sums the payments in pounds by London day, as `lead_counts` counts leads. A million take about two seconds. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table payment_counts (
      day date not null, shard smallint not null, payments bigint not null, paid_pence bigint not null, primary key (day, shard)
    );
    create function count_payments() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then ${add('select *, 1 as delta from added')}
      elsif tg_op = 'DELETE' then ${add('select *, -1 as delta from removed')}
      elsif tg_op = 'UPDATE' then ${add('select *, 1 as delta from added union all select *, -1 from removed')}
      else delete from payment_counts; end if;
      return null;
    end $$;
    ${trigger('insert', 'referencing new table as added')}
    ${trigger('delete', 'referencing old table as removed')}
    ${trigger('update', 'referencing old table as removed new table as added')}
    ${trigger('truncate', '')}
    ${add('select *, 1 as delta from stripe_invoices')}
  `);
}
