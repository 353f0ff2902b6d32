import type { Database } from '@site/platform/database/connect';
import type { LeadRow, SyncAttemptRow } from '@site/platform/database/tables';
import type { LoggedRequest } from '@site/sandbox/traffic/request-log';

import type { Ledger } from './ledger.ts';

export type Books = {
  db: Database;
  ledger: Ledger;
  /** All requests to Beehiiv, and the emails on its list. */
  requests: () => LoggedRequest[];
  subscribers: () => string[];
};

export type Expectation = {
  /** Emails that Beehiiv always refuses, or for which it always fails. */
  failed?: string[];
};

/**
 * Compares the answers visitors got with the final state, once no lead is pending. Returns one
 * sentence for each broken promise.
 */
export async function audit(books: Books, { failed = [] }: Expectation = {}): Promise<string[]> {
  const { db, ledger } = books;
  const leads = await db<LeadRow>('leads').select();
  const attempts = await db<SyncAttemptRow>('lead_sync_attempts').select();
  const mayFail = new Set(failed);
  return [
    ...ledger.malformed.map((answer) => `a refusal was not a valid problem document: ${answer}`),
    ...checkStored(ledger, leads),
    ...leads.flatMap((lead) => checkSettled(lead, attempts, mayFail)),
    ...checkSubscribers(books, leads),
    ...checkRequests(books.requests(), leads, attempts),
    ...(await checkLeftovers(db)),
    ...(await checkCounters(db)),
  ];
}

function checkStored({ accepted }: Ledger, leads: LeadRow[]): string[] {
  const stored = new Map(leads.map((lead) => [lead.id, lead]));
  const promised = new Map<string, Set<string>>();
  const faults: string[] = [];
  for (const { leadId, email, formType } of accepted) {
    const lead = stored.get(leadId);
    if (!lead) faults.push(`accepted lead ${leadId} is not stored`);
    else if (lead.email !== email || lead.formType !== formType)
      faults.push(`lead ${leadId} belongs to another visitor`);
    promised.set(
      `${email} ${formType}`,
      (promised.get(`${email} ${formType}`) ?? new Set()).add(leadId),
    );
  }
  for (const [who, ids] of promised)
    if (ids.size > 1) faults.push(`${who} became ${ids.size} leads`);
  const answered = new Set(accepted.map(({ leadId }) => leadId));
  for (const { id } of leads)
    if (!answered.has(id)) faults.push(`lead ${id} is stored, but its visitor got no answer`);
  return faults;
}

function checkSettled(lead: LeadRow, attempts: SyncAttemptRow[], mayFail: Set<string>): string[] {
  const own = attempts
    .filter((attempt) => attempt.leadId === lead.id)
    .sort((a, b) => a.number - b.number);
  const faults: string[] = [];
  const wanted = mayFail.has(lead.emailNormalised) ? 'failed' : 'sent';
  if (lead.beehiivStatus !== wanted)
    faults.push(`lead ${lead.id} is ${lead.beehiivStatus}, not ${wanted}`);
  if (wanted === 'failed' && lead.beehiivResponse === null)
    faults.push(`lead ${lead.id} failed without a reason`);
  if (own.some((attempt) => attempt.class === null))
    faults.push(`lead ${lead.id} is still claimed`);
  const last = own.at(-1);
  const endings = wanted === 'sent' ? ['accepted'] : ['permanent', 'transient'];
  if (!endings.includes(last?.class ?? 'open')) {
    const story = own.map((attempt) => attempt.class ?? 'open').join(', ');
    faults.push(
      `lead ${lead.id} does not end with an attempt that was ${endings.join(' or ')}: ${story || 'no attempt'}`,
    );
  }
  if (own.some((attempt) => attempt.class === null))
    faults.push(`lead ${lead.id} has an open attempt`);
  if (own.some((attempt, index) => attempt.number !== index + 1))
    faults.push(`lead ${lead.id} lacks an attempt`);
  return faults;
}

function checkSubscribers({ subscribers }: Books, leads: LeadRow[]): string[] {
  const faults: string[] = [];
  const listed = subscribers().map((email) => email.toLowerCase());
  const times = new Map<string, number>();
  for (const email of listed) times.set(email, (times.get(email) ?? 0) + 1);
  const sent = new Set(
    leads.filter((lead) => lead.beehiivStatus === 'sent').map((lead) => lead.emailNormalised),
  );
  for (const email of sent) {
    if (times.get(email) !== 1)
      faults.push(`${email} is on the list ${times.get(email) ?? 0} times`);
  }
  for (const email of times.keys())
    if (!sent.has(email)) faults.push(`${email} is on the list but not sent`);
  return faults;
}

/**
 * Checks that each person is added by one request, and that every request was recorded before it
 * was sent.
 */
function checkRequests(
  requests: LoggedRequest[],
  leads: LeadRow[],
  attempts: SyncAttemptRow[],
): string[] {
  const faults: string[] = [];
  const posts = requests.filter(({ method }) => method === 'POST');
  const carriedOut = posts.filter(
    ({ subject, status }) => subject !== null && (status === null || status < 300),
  );
  const adds = new Map<string, LoggedRequest[]>();
  for (const post of carriedOut) {
    const email = post.subject ?? '';
    adds.set(email, [...(adds.get(email) ?? []), post]);
  }
  for (const { emailNormalised: email, beehiivStatus } of leads) {
    const own = adds.get(email) ?? [];
    if (beehiivStatus !== 'sent' || own.length === 1) continue;
    const story = own.map((post) => `${post.at} ${post.status ?? post.outcome}`).join(', ');
    faults.push(`${email} was added ${own.length} times: ${story}`);
  }
  if (posts.length > attempts.length)
    faults.push(`${posts.length} additions were requested in ${attempts.length} attempts`);
  return faults;
}

async function checkLeftovers(db: Database): Promise<string[]> {
  const leases = await db('email_leases').select();
  return leases.map(({ leasedBy }) => `an email is still leased by ${leasedBy}`);
}

async function checkCounters(db: Database): Promise<string[]> {
  const { rows } = await db.raw(
    `with counted as (
      select day, form_type, beehiiv_status, subscriber_status, sum(leads) as leads from lead_counts group by 1, 2, 3, 4 having sum(leads) <> 0
    ), recounted as (
      select (submitted_at at time zone 'Europe/London')::date as day, form_type, beehiiv_status,
        case beehiiv_status when 'sent' then coalesce(subscriber_status, '') else '' end as subscriber_status, count(*) as leads
      from leads group by 1, 2, 3, 4
    )
    select coalesce(counted.beehiiv_status, recounted.beehiiv_status) as status, counted.leads as counted, recounted.leads as there
    from counted full join recounted using (day, form_type, beehiiv_status, subscriber_status)
    where counted.leads is distinct from recounted.leads`,
  );
  return rows.map(
    (row: { status: string; counted: number | null; there: number | null }) =>
      `lead_counts says ${row.counted ?? 0} ${row.status}, but there are ${row.there ?? 0}`,
  );
}
