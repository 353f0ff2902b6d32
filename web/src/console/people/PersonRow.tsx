import type { FoundPerson } from '@site/schema/calls/people';
import { formatPence } from '@site/schema/offer';
import { Link } from 'react-router-dom';
import { LinkButton } from '../shared/LinkButton.tsx';
import { Moment } from '../shared/Moment.tsx';
import nameStyles from '../shared/NameLink.module.css';
import { STATUS_ICONS } from '../lead/LeadStatus.tsx';
import { toPerson } from '../navigation/person.ts';
import type { Found } from '../navigation/person.ts';
import { describeLast, describeNow, describePlaceFound } from './people-labels.ts';
import styles from './PeopleView.module.css';

type PersonRowProps = {
  person: FoundPerson;
  found: Found;
  now: Date;
  onSearch: (text: string) => void;
};

/** A person who was found: where, how they stand, what happened last and what they have paid. */
export function PersonRow({ person, found, now, onSearch }: PersonRowProps) {
  const { name, email, leadIds, foundIn, last, paidPence } = person;
  const { name: is, more, tone } = describeNow(person, now);
  const Icon = tone && STATUS_ICONS[tone];
  const to = leadIds[0] === undefined ? undefined : { search: toPerson(leadIds[0]) };
  const title = <bdi>{name ?? email}</bdi>;
  return (
    <tr
      className={styles.row}
      tabIndex={-1}
      onClick={({ target, currentTarget }) => {
        if (target instanceof Element && !target.closest('a, button'))
          currentTarget.querySelector('a')?.click();
      }}
    >
      <th scope="row">
        {to ? (
          <Link className={nameStyles.name} to={to} state={{ found }}>
            {title}
          </Link>
        ) : (
          <LinkButton className={nameStyles.name} onClick={() => onSearch(email)}>
            {title}
          </LinkButton>
        )}
        {name !== null && (
          <small>
            <bdi>{email}</bdi>
          </small>
        )}
      </th>
      {found.text !== '' && (
        // A phone shows the name and the address whole, with the match marked.
        <td
          data-label="found in"
          data-none={!foundIn || (foundIn.text === null && foundIn.kind !== 'stripe') || undefined}
        >
          {foundIn && (
            <span>
              {describePlaceFound(foundIn)}
              {foundIn.text !== null && <bdi>{foundIn.text}</bdi>}
            </span>
          )}
        </td>
      )}
      <td data-own data-tone={tone}>
        <strong>
          {Icon && <Icon />} {is}
        </strong>{' '}
        <small>{more.includes('@') ? <bdi>{more}</bdi> : more}</small>
      </td>
      <td>
        {last && (
          <>
            {describeLast(last)}{' '}
            <small>
              <Moment at={last.at} now={now} />
            </small>
          </>
        )}
      </td>
      <td data-figure data-amount data-none={!paidPence || undefined}>
        {paidPence ? formatPence(paidPence, true) : '–'}
      </td>
    </tr>
  );
}
