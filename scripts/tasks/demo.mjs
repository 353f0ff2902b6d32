// npm run demo: sends plausible leads to the running system's public API, and has some of them
// subscribe in the sandbox. "npm run demo -- 100" sends 100, and "npm run demo -- --break" shows
// that nothing is lost while Beehiiv fails.
import { setTimeout as sleep } from 'node:timers/promises';

import { readRunning } from '../data-folder.mjs';
import { Failure, wrongArguments } from '../failure.mjs';
import { dataFolderPath } from '../settings.mjs';
import { liveThroughYear, sandboxClient } from './demo-money.mjs';

const PEOPLE = [
  ['Amelia Thornton', 'Thornton Hale'],
  ['Friedrich-Wilhelm von Hohenlohe-Schillingsfürst', 'Unternehmensbeteiligung Süd'],
  ['محمد عبد الرحمن الشمري', 'Gulf Capital'],
  ['Siobhán Ní Dhomhnaill', 'Liffey Ventures'],
  ['Kenji Watanabe', 'Shorebridge'],
  ['Priya Raman', 'Northgate'],
  ['Jean-Baptiste Morel', 'Repreneurs'],
  ['Oliver Haddow', 'Haddow & Sons'],
  ['Chidi Eze', 'Savannah PE'],
  ['Isla Drummond', 'Drummond Capital'],
];
const BUTTONS = [
  ['nav_sub', 'navigation_subscription'],
  ['top_sub', 'hero_subscription'],
  ['bottom_sub', 'urgency_subscription'],
];
const VISITS = ['linkedin', 'google', 'partner_letter', undefined];
// Emails with a special answer from the sandbox. One lead in nine has one, in turn.
const UNUSUAL = ['+422', '+invalid', '+pending'];
const UNUSUAL_EVERY = 9;
const BAR_WIDTH = 30;
const SANDBOX_KEY = 'sk_test_sandbox';
/** Each renews up to eleven times, and each event is a request. */
const MAX_BUYERS = 40;
/** Below one visitor's requests a minute, so that you can still try the form yourself. */
const USUAL = 24;

function buildLead(n) {
  const [fullName, company] = PEOPLE[n % PEOPLE.length];
  const [utmSource, utmCampaign] = BUTTONS[n % BUTTONS.length];
  const isSample = n % 3 === 0;
  const unusual =
    n % UNUSUAL_EVERY === UNUSUAL_EVERY - 1
      ? UNUSUAL[Math.floor(n / UNUSUAL_EVERY) % UNUSUAL.length]
      : '';
  return {
    email: `subscriber.${Date.now().toString(36)}${n}${unusual}@demo.example`,
    fullName,
    company,
    phone: '+44 20 7946 0000',
    formType: isSample ? 'pre_sample' : 'pre_buy',
    ...(isSample
      ? { utmSource: 'sample_site', utmCampaign: 'issue_247' }
      : { utmSource, utmCampaign }),
    visitUtm: { source: VISITS[n % VISITS.length] },
    consentMarketing: !isSample,
    landingPage: '/',
    elapsedMs: 20_000,
  };
}

async function post(url, lead, { signal, onWait }) {
  for (;;) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(lead),
      signal,
    }).catch(() => {
      throw new Failure(`Nothing answers at ${url}. Start the system first: npm start.`);
    });
    if (answer.ok) return answer.json();
    if (answer.status !== 429)
      throw new Failure(`A lead was refused: ${answer.status} ${await answer.text()}`);
    const seconds = Number(answer.headers.get('retry-after') ?? 1);
    onWait(seconds);
    await sleep(seconds * 1_000, undefined, { signal });
  }
}

function draw(done, total, note = '', what = 'leads') {
  const filled = Math.round((BAR_WIDTH * done) / total);
  const line = `  ${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${done} of ${total} ${what}${note}`;
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${line}`);
  else if (done === total) console.log(line);
}

async function send(siteUrl, total, signal) {
  const buyers = [];
  for (let done = 0; done < total; done++) {
    draw(done, total);
    const lead = buildLead(done);
    const { id } = await post(`${siteUrl}/api/lead/subscribe`, lead, {
      signal,
      onWait: (seconds) => draw(done, total, ` (rate limited: waiting ${seconds} s)`),
    });
    if (lead.formType === 'pre_buy' && !lead.email.includes('+')) buyers.push({ ...lead, id });
  }
  draw(total, total);
  return buyers.slice(0, MAX_BUYERS);
}

export async function demo({ args, signal }) {
  const isBreak = args.length === 1 && args[0] === '--break';
  const total = Number(isBreak ? USUAL : (args[0] ?? USUAL));
  if (!Number.isInteger(total) || total < 1 || args.length > 1) {
    throw wrongArguments('npm run demo takes a number of leads (npm run demo -- 100), or --break.');
  }
  // The system that runs here, on any port.
  const running = readRunning(dataFolderPath());
  const siteUrl =
    running?.siteUrl ?? (process.env.PUBLIC_URL || `http://127.0.0.1:${process.env.PORT || 8080}`);
  if (isBreak) return breakBeehiiv({ running, siteUrl, signal });
  const leads = await send(siteUrl, total, signal);
  const { sandboxUrl } = running ?? {};
  if (sandboxUrl !== undefined) {
    const drawMoney = (done) => draw(done, leads.length, '', 'checkouts of the last twelve months');
    console.log();
    await liveThroughYear({ sandboxUrl, secretKey: SANDBOX_KEY, leads, draw: drawMoney, signal });
    drawMoney(leads.length);
  }
  console.log(
    `\nSee them at ${siteUrl}/admin-leads. The worker is sending them to Beehiiv. Overview knows the past months in two minutes.`,
  );
  return 0;
}

const AT_ONCE = 6;
const LOOK_EVERY_MS = 1_000;
/** The first retry comes after half a minute at most; a sweep and the requests add a little. */
const LONGEST_MS = 120_000;

/**
 * Has the sandbox's Beehiiv fail while leads arrive, and shows that all of them arrive there
 * afterwards.
 */
async function breakBeehiiv({ running, siteUrl, signal }) {
  const { sandboxUrl } = running ?? {};
  if (sandboxUrl === undefined)
    throw new Failure('Nothing is running here. Start the system first: npm start');
  const send = sandboxClient(sandboxUrl, signal);
  const control = async (path, form) => (await send(`/_control${path}`, form)).json();
  const leads = Array.from({ length: AT_ONCE }, (_, n) => ({
    ...buildLead(n),
    email: `break.${Date.now()}.${n}@demo.example`,
  }));
  const isOurs = ({ email }) => leads.some((lead) => lead.email === email);
  const countArrived = async () =>
    (await control('/beehiiv/subscriptions')).subscriptions.filter(isOurs).length;
  const say = (step, text) => console.log(`${step}. ${text}`);
  try {
    await control('/faults', { target: 'beehiiv', mode: 'status', status: 503 });
    say(1, 'Beehiiv now answers every request with 503.');
    for (const lead of leads) {
      await post(`${siteUrl}/api/lead/subscribe`, lead, { signal, onWait: () => undefined });
    }
    say(
      2,
      `${AT_ONCE} visitors filled in the form. Each was answered 201: their leads are stored in Postgres.`,
    );
    await sleep(3_000, undefined, { signal });
    say(
      3,
      `The worker has tried to send them. At Beehiiv: ${await countArrived()} of ${AT_ONCE}. They wait as pending; see ${siteUrl}/admin-leads`,
    );
  } finally {
    await control('/faults', { target: 'beehiiv', mode: 'ok' });
  }
  say(4, 'Beehiiv works again. Each lead is retried automatically, within half a minute:');
  const until = Date.now() + LONGEST_MS;
  let arrived = 0;
  while (arrived < AT_ONCE && Date.now() < until) {
    await sleep(LOOK_EVERY_MS, undefined, { signal });
    arrived = await countArrived();
    draw(arrived, AT_ONCE);
  }
  if (arrived < AT_ONCE)
    throw new Failure(
      `\nOnly ${arrived} of ${AT_ONCE} arrived within two minutes. docs/sync.md says where to look.`,
    );
  console.log(
    `\n5. All ${AT_ONCE} are at Beehiiv. Nothing was lost, and nobody had to do anything.`,
  );
  return 0;
}
