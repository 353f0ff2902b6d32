import axios from 'axios';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import knex from 'knex';
import { Agent } from 'node:http';

/*
 * The usual worker, for comparison only: reads the lead, sends it and marks it as sent. Records no
 * attempts, and has no rate limit, leases or unknown outcomes.
 */

const {
  DATABASE_URL = '',
  REDIS_URL = '',
  BEEHIIV_API_URL = '',
  WORKER_CONCURRENCY = '16',
} = process.env;
const db = knex({
  client: 'pg',
  connection: DATABASE_URL,
  pool: { min: 0, max: Number(WORKER_CONCURRENCY) },
});
const http = axios.create({ baseURL: BEEHIIV_API_URL, httpAgent: new Agent({ keepAlive: true }) });

const worker = new Worker(
  'plain',
  async (job: { data: { leadId: string } }) => {
    const lead = await db('plain_leads').where({ id: job.data.leadId }).first();
    await http.post('/subscriptions', {
      email: lead.email,
      utm_source: lead.utm_source,
      send_welcome_email: false,
    });
    await db('plain_leads')
      .where({ id: lead.id })
      .update({ beehiiv_status: 'sent', beehiiv_sent_at: db.fn.now() });
  },
  {
    connection: new Redis(REDIS_URL, { maxRetriesPerRequest: null }),
    concurrency: Number(WORKER_CONCURRENCY),
  },
);
process.once('SIGTERM', () => void worker.close().then(() => process.exit()));
await worker.waitUntilReady();
process.send?.(0);
