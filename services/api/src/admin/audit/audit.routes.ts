import { query } from '@site/platform/database/query';
import type { Row } from '@site/platform/database/tables';
import { ACTIONS_PER_PAGE } from '@site/schema/calls/audit';
import type { OperatorAction } from '@site/schema/calls/audit';
import type { AppDeps } from '../../app-deps.ts';
import { foldReadings } from '../../audit/audit.repository.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';

type ListedAction = Row<'operator_actions'> & Pick<OperatorAction, 'lead'>;

export function auditRoutes({ db }: AppDeps): Route[] {
  return [
    route('GET /api/admin/audit', async ({ query: filter }) => {
      await foldReadings(db);
      const [rows, actors] = await Promise.all([
        // The record holds only ids, so an erasure leaves no name in it. The lead of a subscription
        // or a refund is the subscription's, or else the newest of its payer's email.
        query<ListedAction>(
          db,
          `with listed as (
             select * from operator_actions
             where (:before::bigint is null or id < :before) and (:operator::text is null or operator = :operator)
               and (:action::text is null or action = :action)
               and (:startDate::date is null or at >= midnight(:startDate::date))
               and (:endDate::date is null or at < midnight(:endDate::date + 1))
             order by id desc limit :most
           )
           select listed.*, (
               select json_build_object('id', leads.id, 'name', coalesce(full_name, email), 'email', email)
               from leads where leads.id = about.lead_id
             ) as lead
           from listed left join lateral (
             select coalesce(
               case when subject ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then subject::uuid end,
               (select coalesce(lead_id, (
                  select id from leads where leads.email_normalised = s.email_normalised order by submitted_at desc limit 1
                )) from subscriptions s
                where stripe_subscription_id
                  = coalesce((select stripe_subscription_id from stripe_refunds where id = subject), subject))
             ) as lead_id
           ) about on true order by listed.id desc`,
          {
            before: filter.before ?? null,
            operator: filter.operator ?? null,
            action: filter.action ?? null,
            startDate: filter.startDate ?? null,
            endDate: filter.endDate ?? null,
            most: ACTIONS_PER_PAGE + 1,
          },
        ),
        query<{ operator: string }>(
          db,
          `with recursive actor as (
             (select operator from operator_actions where operator is not null order by operator limit 1)
             union all
             select (select operator from operator_actions where operator > actor.operator order by operator limit 1)
             from actor where actor.operator is not null
           ) select operator from actor where operator is not null`,
        ),
      ]);
      const shown = rows.slice(0, ACTIONS_PER_PAGE);
      return {
        // Listings are recorded later than they happened.
        actions: shown.toSorted((a, b) => b.at.getTime() - a.at.getTime()),
        nextBefore: rows.length > ACTIONS_PER_PAGE ? (shown.at(-1)?.id ?? null) : null,
        operators: actors.map(({ operator }) => operator),
      };
    }),
  ];
}
