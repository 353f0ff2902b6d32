import { test } from '@site/testing/fixtures';
import { expect } from 'vitest';
import { queryOne } from './query.ts';

test.for([
  ['jit', 'off'],
  ['work_mem', '16MB'],
  ['random_page_cost', '1.1'],
  ['max_parallel_workers_per_gather', '0'],
  ['idle_in_transaction_session_timeout', '5s'],
  ['tcp_keepalives_idle', '10'],
  ['tcp_keepalives_interval', '5'],
  ['tcp_keepalives_count', '3'],
  ['tcp_user_timeout', '20000'],
  ['statement_timeout', '10s'],
])('every connection has %s = %s', async ([name, value], { db }) => {
  expect(await queryOne<{ set: string }>(db, 'select current_setting(?) as set', [name])).toEqual({
    set: value,
  });
});
