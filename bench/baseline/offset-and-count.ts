import type { Database } from '@site/platform/database/connect';

/** How the same would be read the usual way: pages by offset, four counts, words by a scan. For comparison only. */
export const OFFSET_AND_COUNT: Record<string, (db: Database, total: number) => Promise<unknown>> = {
  'list, first page': (db) => page(db, 0),
  'list, filtered': (db) => page(db, 0, `form_type = 'pre_sample' and beehiiv_status = 'failed'`),
  'list, deep': (db, total) => page(db, Math.floor(total / 2)),
  counters: (db) =>
    db.raw(
      `select count(*), count(*) filter (where form_type = 'pre_sample'), count(*) filter (where form_type = 'pre_buy'),
         count(*) filter (where beehiiv_status = 'sent') from leads`,
    ),
  'search, one address': (db) => page(db, 0, words('reader777@')),
  'search, a common name': (db) => page(db, 0, words('amelia')),
  'search, a company': (db) => page(db, 0, words('kestrel 42')),
  'search, nothing': (db) => page(db, 0, words('zzyzx')),
};

const page = (db: Database, offset: number, where = 'true') =>
  db.raw(`select * from leads where ${where} order by submitted_at desc limit 50 offset ${offset}`);

const words = (text: string) =>
  `(lower(email) like '%${text}%' or lower(full_name) like '%${text}%' or lower(company) like '%${text}%')`;
