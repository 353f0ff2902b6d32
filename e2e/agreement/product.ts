import { startChild } from '@site/local-infra/supervisor/child';
import type { CallAnswer, KnownCall } from '@site/schema/calls/calls';
import { SANDBOX_CREDENTIALS } from '@site/schema/sandbox-credentials';
import { join } from 'node:path';

import { createDrill } from '../drills/drill.ts';
import type { Drill } from '../drills/drill.ts';
import type { Servers } from '../drills/servers.ts';

const ROOT = join(import.meta.dirname, '../..');
const LOGIN = { username: 'agreement', password: 'three plain horses run' };

type Given = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
};
export type Answer<Name extends KnownCall> = { status: number; body: CallAnswer<Name> };
/** A call that was answered with 4xx or 5xx. */
export type Refused = { name: string; status: number; text: string };

/**
 * The running product with one API and one worker, an operator of it, and Stripe at the sandbox.
 */
export type Product = Drill & {
  /** Makes a call, and returns a success's body. */
  call<Name extends KnownCall>(name: Name, given?: Given): Promise<Answer<Name>>;
  /** Takes the refusals since the last time. */
  takeRefusals(): Refused[];
  /** Returns the API's last log lines. */
  apiLog(): string[];
  /** Takes a line for each change since the last time. */
  takeStory(): string[];
  /** The rows by which a mail may show each item. An operator may correct the name afterwards. */
  mailRows: Map<string, Set<string>>;
  /** Calls Stripe, as its dashboard or the customer's portal does. Returns false if refused. */
  stripe(path: string, form?: Record<string, string>, method?: string): Promise<boolean>;
  /** Changes a subscriber at Beehiiv, as its dashboard or the reader does. */
  beehiivChanges(email: string, change: { tier: 'free' } | { unsubscribe: true }): Promise<void>;
};

/**
 * Starts the product on its own database. Products that run at the same time need different queue
 * numbers.
 */
export async function startProduct(servers: Servers, queue: number): Promise<Product> {
  const drill = await createDrill(servers, { smtpPort: 0 });
  try {
    // Nobody needs the status here, and watching it takes time.
    await drill.light.end();
    await prepare(drill);
    const env = { DATABASE_POOL_SIZE: '8', REDIS_URL: `${servers.valkey.url}/${queue}` };
    const api = await drill.startApi({
      ...env,
      SMTP_URL: drill.sandbox.smtpUrl ?? '',
      ALERT_EMAIL: 'owner@ledger.example',
      MAIL_FROM: 'console@ledger.example',
    });
    await drill.startWorker(env);
    drill.sandbox.setApiUrl(api.url);
    return {
      ...drill,
      ...(await logIn(api.url)),
      apiLog: api.log,
      mailRows: new Map(),
      stripe: (...given) => post(drill, ...given),
      beehiivChanges: (...given) => changeSubscriber(drill, ...given),
    };
  } catch (error) {
    await drill.end();
    throw error;
  }
}

/** Creates the operator, and the products and prices at Stripe. */
async function prepare({ databaseUrl, sandbox }: Drill): Promise<void> {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: databaseUrl,
    SANDBOX_PORT: String(sandbox.port),
    ADMIN_USERNAME: LOGIN.username,
    ADMIN_PASSWORD: LOGIN.password,
  };
  await Promise.all(
    ['migrate', 'stripe-setup'].map(async (name) => {
      const script = join(ROOT, `services/api/dist/commands/${name}.js`);
      const lines: string[] = [];
      const child = startChild({ script, cwd: ROOT, env }, (line) => lines.push(line));
      await child.ended;
      if (child.exitCode() !== 0) throw new Error(`${name} failed:\n${lines.join('\n')}`);
    }),
  );
}

async function logIn(url: string): Promise<Pick<Product, 'call' | 'takeRefusals' | 'takeStory'>> {
  let refusals: Refused[] = [];
  let story: string[] = [];
  let cookie = '';
  const send = (name: string, { params = {}, query = {}, body, headers }: Given) => {
    const [method = '', template = ''] = name.split(' ');
    const path = template.replaceAll(/:(\w+)/g, (_, key: string) =>
      encodeURIComponent(params[key] ?? ''),
    );
    return fetch(`${url}${path}?${new URLSearchParams(query).toString()}`, {
      method,
      headers: { 'Content-Type': 'application/json', Cookie: cookie, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
  };
  const login = await send('POST /api/admin/login', { body: LOGIN });
  cookie = login.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  const confirm = () => send('POST /api/admin/confirm', { body: { password: LOGIN.password } });
  await confirm();
  const timer = setInterval(() => void confirm().catch(() => undefined), 600_000);
  timer.unref();
  return {
    async call(name, given = {}) {
      const answer = await send(name, given);
      const text = await answer.text();
      const { params, body: sent } = given;
      if (!name.startsWith('GET') && !name.endsWith('/search'))
        story.push(
          `  ${name} ${JSON.stringify({ ...params, ...(sent as object) })} ${answer.status}`,
        );
      if (answer.status >= 400) refusals.push({ name, status: answer.status, text });
      const body = text === '' ? undefined : (JSON.parse(text) as unknown);
      return { status: answer.status, body: body as CallAnswer<typeof name> };
    },
    takeRefusals() {
      const taken = refusals;
      refusals = [];
      return taken;
    },
    takeStory() {
      const taken = story;
      story = [];
      return taken;
    },
  };
}

async function post(
  { sandbox }: Drill,
  path: string,
  form: Record<string, string> = {},
  method = 'POST',
): Promise<boolean> {
  const answer = await fetch(`${sandbox.url}/v1/${path}`, {
    method,
    headers: { Authorization: `Bearer ${SANDBOX_CREDENTIALS.stripeSecretKey}` },
    ...(method === 'POST' && { body: new URLSearchParams(form) }),
  });
  await answer.body?.cancel();
  return answer.ok;
}

async function changeSubscriber({ sandbox }: Drill, email: string, change: object): Promise<void> {
  const { beehiivPublicationId: publication, beehiivApiKey: key } = SANDBOX_CREDENTIALS;
  const path = `publications/${publication}/subscriptions/by_email/${encodeURIComponent(email)}`;
  const answer = await fetch(`${sandbox.url}/v2/${path}`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(change),
  });
  await answer.body?.cancel();
}
