import type { Database } from '@site/platform/database/connect';
import { queryOne } from '@site/platform/database/query';
import type { LeadRow } from '@site/platform/database/tables';
import type { CallSent } from '@site/schema/calls/calls';
import { NOT_RECEIVING_REASONS } from '@site/schema/money';
import { SHOWN } from './lead-answer.ts';
import type { ShownLeadRow } from './lead-answer.ts';
import { MAX_ENTRIES } from './lead-money.repository.ts';

export const findShownLead = (db: Database, id: string) =>
  db('leads').where({ id }).first<ShownLeadRow | undefined>(db.raw(SHOWN));

/** Lists the leads of an email, newest first. */
export const listLeadsOf = (db: Database, emailNormalised: string): Promise<ShownLeadRow[]> =>
  db<LeadRow>('leads')
    .where({ emailNormalised })
    .orderByRaw('submitted_at desc, id desc')
    .limit(MAX_ENTRIES)
    .select<ShownLeadRow[]>(db.raw(SHOWN));

type Answer = CallSent<'GET /api/admin/leads/:id/person'>;
type Stored = 'name' | 'state' | 'since' | 'until' | 'reason' | 'mainSubscription' | 'freeAccess';
type NotReceiving = NonNullable<Answer['notReceiving']>;
export type Person = Pick<Answer, Stored | 'notReceiving' | 'subscriber'>;

/**
 * Reads a person's name and state, the free access, Beehiiv's last answer, and why a payer does not
 * receive the paid issue (rule 3.14). A lead of moments ago may have no person yet.
 */
export async function readPersonRow(db: Database, emailNormalised: string): Promise<Person> {
  const { notReceiving, ...row } = await queryOne<
    Omit<Person, 'notReceiving'> & {
      notReceiving:
        | (Omit<NotReceiving, 'remedy'> & { offered: 'add-again' | 'set-premium' | null })
        | null;
    }
  >(
    db,
    `select person.name, coalesce(state, 'none') as state, state_since as since,
       state_until as until, state_reason as reason, main_subscription,
       case when person.status is not null then json_build_object(
         'status', person.status, 'learnedAt', iso(learned_at)
       ) end as subscriber,
       case when free_granted_by is not null then json_build_object(
         'until', iso(free_until), 'withSubscription', free_with_subscription,
         'paidBy', paid.email, 'grantedBy', free_granted_by, 'name', free_name,
         'reason', free_reason, 'isOver', not has_free_access(person)
       ) end as free_access,
       case when state = 'not-receiving' then json_build_object(
         'email', person.email, 'leadId', deciding_lead, 'differenceId', difference_id,
         'reason', state_reason, 'offered', case
           when (state_reason, remedy) = ('not-at-beehiiv', 'add-again')
             or (state_reason, remedy) = ('not-premium', 'set-premium') then remedy
         end
       ) end as not_receiving
     from (select) always
       left join people person on person.email_normalised = :emailNormalised
       left join subscriptions paid on paid.stripe_subscription_id = free_with_subscription
       left join differences on differences.id = difference_id`,
    { emailNormalised },
    'read-person',
  );
  if (!notReceiving) return { ...row, notReceiving };
  const { offered, ...found } = notReceiving;
  const remedy = offered ?? NOT_RECEIVING_REASONS[found.reason].remedy;
  return { ...row, notReceiving: { ...found, remedy } };
}
