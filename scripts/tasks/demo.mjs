// npm run demo: sends plausible leads to the running system's public API. "npm run demo -- 100" sends 100.
import { setTimeout as sleep } from 'node:timers/promises';

import { Failure } from '../failure.mjs';

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
// Addresses with a special answer from the sandbox. One lead in nine has one, in turn.
const UNUSUAL = ['+422', '+invalid', '+pending'];
const UNUSUAL_EVERY = 9;
const BAR_WIDTH = 30;
/** Below one visitor's requests a minute, so that you can still try the form yourself. */
const USUAL = 24;

function buildLead(n) {
  const [fullName, company] = PEOPLE[n % PEOPLE.length];
  const [utmSource, utmCampaign] = BUTTONS[n % BUTTONS.length];
  const isSample = n % 3 === 0;
  const unusual =
    n % UNUSUAL_EVERY === UNUSUAL_EVERY - 1 ? UNUSUAL[Math.floor(n / UNUSUAL_EVERY) % UNUSUAL.length] : '';
  return {
    email: `subscriber.${Date.now().toString(36)}${n}${unusual}@demo.example`,
    fullName,
    company,
    phone: '+44 20 7946 0000',
    formType: isSample ? 'pre_sample' : 'pre_buy',
    ...(isSample ? { utmSource: 'sample_site', utmCampaign: 'issue_247' } : { utmSource, utmCampaign }),
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
    if (answer.ok) return;
    if (answer.status !== 429) throw new Failure(`A lead was refused: ${answer.status} ${await answer.text()}`);
    const seconds = Number(answer.headers.get('retry-after') ?? 1);
    onWait(seconds);
    await sleep(seconds * 1_000, undefined, { signal });
  }
}

function draw(done, total, note = '') {
  const filled = Math.round((BAR_WIDTH * done) / total);
  const line = `  ${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${done} of ${total} leads${note}`;
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${line}`);
  else if (done === total) console.log(line);
}

export async function demo({ args, signal }) {
  const total = Number(args[0] ?? USUAL);
  if (!Number.isInteger(total) || total < 1 || args.length > 1) {
    throw new Failure('Give the number of leads: npm run demo -- 100.');
  }
  const site = process.env.PUBLIC_URL || `http://127.0.0.1:${process.env.PORT || 8080}`;
  for (let done = 0; done < total; done++) {
    draw(done, total);
    await post(`${site}/api/lead/subscribe`, buildLead(done), {
      signal,
      onWait: (seconds) => draw(done, total, ` (rate limited: waiting ${seconds} s)`),
    });
  }
  draw(total, total);
  console.log(`\nSee them at ${site}/admin-leads. The worker is sending them to Beehiiv.`);
  return 0;
}
