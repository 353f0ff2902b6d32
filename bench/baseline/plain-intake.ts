import { leadIntakeBody, toSubmittedFields } from '@site/schema/lead-intake';
import { Queue } from 'bullmq';
import express from 'express';
import { Redis } from 'ioredis';
import knex from 'knex';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';

/*
 * The usual intake, for comparison only: validates the body, inserts the lead and waits for the
 * queue. Has no repeats, quarantine, rate limit, metrics or request ids.
 */

const { DATABASE_URL = '', REDIS_URL = '' } = process.env;
const toSnake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const db = knex({
  client: 'pg',
  connection: DATABASE_URL,
  pool: { min: 0, max: 10 },
  wrapIdentifier: (value, wrap) => wrap(toSnake(value)),
});
const queue = new Queue('plain', {
  connection: new Redis(REDIS_URL, { maxRetriesPerRequest: null }),
});

const app = express();
app.use(express.json());
app.post('/api/lead/subscribe', async (req, res) => {
  const lead = leadIntakeBody.parse(req.body);
  const id = randomUUID();
  await db('plain_leads').insert({ id, ...toSubmittedFields(lead), submittedAt: new Date() });
  await queue.add('push', { leadId: id });
  res.status(201).json({ id, beehiivStatus: 'pending' });
});
const server = app.listen(0, '127.0.0.1', () =>
  process.send?.((server.address() as AddressInfo).port),
);
