import type { Database } from '@site/platform/database/connect';

/** The usual queries, for comparison only: pages by offset, four counts, and search by a scan. */
export const OFFSET_AND_COUNT: Record<string, (db: Database, total: number) => Promise<unknown>> = {
  'list, first page': (db) => page(db, 0),
  'list, filtered': (db) => page(db, 0, `form_type = 'pre_sample' and beehiiv_status = 'failed'`),
  'list, deep': (db, total) => page(db, Math.floor(total / 2)),
  counters: (db) =>
    db.raw(
      `select count(*), count(*) filter (where form_type = 'pre_sample'), count(*) filter (where form_type = 'pre_buy'),
         count(*) filter (where beehiiv_status = 'sent') from leads`,
    ),
  charts: (db) => charts(db),
  'charts, filtered': (db) => charts(db, `form_type = 'pre_buy' and beehiiv_status = 'sent'`),
  'search, one address': (db) => page(db, 0, words('reader777@')),
  'search, a common name': (db) => page(db, 0, words('amelia')),
  'search, a company': (db) => page(db, 0, words('kestrel 42')),
  'search, nothing': (db) => page(db, 0, words('zzyzx')),
};

const page = (db: Database, offset: number, where = 'true') =>
  db.raw(`select * from leads where ${where} order by submitted_at desc limit 50 offset ${offset}`);

const words = (text: string) =>
  `(lower(email) like '%${text}%' or lower(full_name) like '%${text}%' or lower(company) like '%${text}%')`;

/** Leads by day, by source and by subscriber status, each counted from the rows. */
const charts = (db: Database, where = 'true') =>
  Promise.all([
    db.raw(
      `select (submitted_at at time zone 'Europe/London')::date as day, form_type, count(*) from leads where ${where}
       group by 1, 2 order by 1 desc limit 62`,
    ),
    db.raw(
      `select utm_source, form_type, count(*) from leads where ${where} group by 1, 2 order by 3 desc`,
    ),
    db.raw(
      `select subscriber_status, count(*) from leads where beehiiv_status = 'sent' and ${where} group by subscriber_status`,
    ),
  ]);
