import { londonDate } from '@site/schema/calendar';
import { BILLING_INTERVALS } from '@site/schema/offer';
import { GROUP_NAMES } from '@site/schema/people-order';
import { Link, useNavigate } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';
import { useCall } from '../session/use-call.ts';
import { FilterForm } from '../shared/FilterForm.tsx';
import { ViewHead } from '../shared/heads.tsx';
import { saveFile } from '../shared/save-file.ts';
import { toPeopleQuery } from './people.ts';
import type { PeopleFilter } from './people.ts';

const PLAN_CHOICE = {
  name: 'plan',
  label: 'Plan',
  all: 'All plans',
  options: [
    ['monthly', 'Monthly'],
    ['annual', 'Annual'],
  ] as [string, string][],
};

type PeopleHeadProps = { text: string; filter: PeopleFilter; onGive: () => void };

/** Renders the filters of People, and the export of what they and the text list. */
export function PeopleHead({ text, filter, onGive }: PeopleHeadProps) {
  const { group, plan, startDate, endDate } = filter;
  const navigate = useNavigate();
  const exporting = useCall('POST /api/admin/people/csv', {
    notice: 'Not exported',
    onDone: (csv) =>
      saveFile(
        `people-${londonDate(new Date())}.csv`,
        new Blob([`\uFEFF${csv}`], { type: 'text/csv' }),
      ),
  });
  return (
    <ViewHead
      title="People"
      range={
        group === undefined ? (
          'everyone who left an email, pays or paid'
        ) : (
          <>
            {GROUP_NAMES[group]}{' '}
            <Link to={{ search: toPeopleQuery({ ...filter, group: undefined }) }}>Everyone</Link>
          </>
        )
      }
      filters={
        <FilterForm
          filter={{ startDate, endDate }}
          choices={[{ ...PLAN_CHOICE, chosen: plan }]}
          onApply={(dates, chosen) =>
            void navigate(
              {
                search: toPeopleQuery({
                  ...filter,
                  plan: BILLING_INTERVALS.find((each) => each === chosen['plan']),
                  startDate: dates.startDate,
                  endDate: dates.endDate,
                }),
              },
              { state: { text } },
            )
          }
        />
      }
      actions={
        !exporting.isViewer && (
          <>
            <Button
              look="line"
              pending={exporting.isPending}
              pendingLabel="Exporting..."
              onClick={() => void exporting.send({ body: { text, ...filter } })}
            >
              Export CSV
            </Button>
            <Button look="line" onClick={onGive}>
              Give access…
            </Button>
          </>
        )
      }
    />
  );
}
