import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import nameStyles from '../shared/NameLink.module.css';
import { toPerson } from '../navigation.ts';
import styles from './Money.module.css';

/** Who somebody is, as a link to their page if they have a lead. */
function PersonLink({ leadId, children }: { leadId: string | null; children: ReactNode }) {
  if (leadId === null) return children;
  return (
    <Link className={nameStyles.name} to={{ search: toPerson(leadId) }}>
      {children}
    </Link>
  );
}

type MoneyLeadLinkProps = { leadId: string | null; email: string | null; name?: string | null };

/** A name above its address, or an address alone, that opens the person, or plain text if there is no lead. */
export function MoneyLeadLink({ leadId, email, name = null }: MoneyLeadLinkProps) {
  const shown = name ?? email;
  const words =
    shown === null ? leadId === null ? 'No address given' : 'The person' : <bdi>{shown}</bdi>;
  const person = <PersonLink leadId={leadId}>{words}</PersonLink>;
  if (name === null || email === null) return person;
  return (
    <>
      {person}
      <span className={styles.under}>
        <bdi>{email}</bdi>
      </span>
    </>
  );
}
