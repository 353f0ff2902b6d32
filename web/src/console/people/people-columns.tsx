import type { FoundPerson } from '@site/schema/calls/people';
import { Link } from 'react-router-dom';
import { toPerson } from '../navigation.ts';
import { toRateText, toStateText } from '../person/labels.ts';
import { TONE_ICONS } from '../shared/console-icons.tsx';
import type { Column } from '../shared/DataTable.tsx';
import { formatAmounts, formatDate } from '../shared/format.ts';
import type { PeopleFilter } from './people.ts';
import { toFoundPlace, toPeopleQuery } from './people.ts';

/** Returns a found person's columns: the place of the match, the state and the payments. */
export function toColumns(text: string, filter: PeopleFilter, now: Date): Column<FoundPerson>[] {
  const sort = (down: PeopleFilter['sort'], up: PeopleFilter['sort'], isDefault = false) => {
    const chosen = filter.sort ?? (isDefault && text === '' ? down : undefined);
    return {
      isAscending: chosen === up ? true : chosen === down ? false : undefined,
      search: toPeopleQuery({ ...filter, sort: chosen === down ? up : down }),
      state: { text },
    };
  };
  const placeColumn: Column<FoundPerson> = {
    head: 'Found in',
    cell: (person) => <bdi>{toFoundPlace(person)}</bdi>,
    isNone: ({ foundIn }) =>
      !foundIn || (foundIn.text === null && !['stripe', 'former-email'].includes(foundIn.kind)),
  };
  return [
    {
      head: 'Person',
      cell: ({ name, email, leadIds: [id] }) => (
        <>
          {id === undefined ? (
            <bdi>{name ?? email}</bdi>
          ) : (
            <Link to={{ search: toPerson(id) }}>
              <bdi>{name ?? email}</bdi>
            </Link>
          )}
          {name !== null && (
            <small>
              <bdi>{email}</bdi>
            </small>
          )}
        </>
      ),
    },
    ...(text === '' ? [] : [placeColumn]),
    {
      head: 'State',
      place: 'line',
      cell: (person) => {
        const { name, more, tone } = toStateText(person, now);
        const Icon = tone && TONE_ICONS[tone];
        return (
          <>
            <strong data-tone={tone}>
              {Icon && <Icon />} {name}
            </strong>{' '}
            <small>{more}</small>
          </>
        );
      },
    },
    {
      head: 'Since',
      isFigure: true,
      label: 'since',
      sort: sort('newest', 'oldest', true),
      isNone: ({ since }) => since === null,
      cell: ({ since }) => (since === null ? '–' : formatDate(new Date(since))),
    },
    {
      head: 'Plan',
      isNone: ({ subscription }) => subscription === null,
      cell: ({ subscription }) => (subscription ? toRateText(subscription) : '–'),
    },
    {
      head: 'Paid, net',
      isFigure: true,
      sort: sort('most', 'least'),
      place: 'amount',
      cell: ({ moneyIn }) => formatAmounts(moneyIn) || '–',
      isNone: ({ moneyIn }) => moneyIn.every(({ pence }) => pence === 0),
    },
  ];
}
