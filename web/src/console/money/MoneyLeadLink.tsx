import { Link } from 'react-router-dom';
import { EmailText } from '../../ui/EmailText.tsx';
import nameStyles from '../elements/NameLink.module.css';
import { toPerson } from '../navigation/person.ts';
import styles from './Money.module.css';

type MoneyLeadLinkProps = { leadId: string | null; email: string | null; name?: string | null };

/** A name above its address, or an address alone, that opens the person, or plain text if there is no lead. */
export function MoneyLeadLink({ leadId, email, name = null }: MoneyLeadLinkProps) {
  const shown = name ?? email;
  const words = shown === null ? leadId === null ? 'No address given' : 'The person' : <bdi>{shown}</bdi>;
  const person = leadId ? (
    <Link className={nameStyles.name} to={{ search: toPerson(leadId) }}>
      {words}
    </Link>
  ) : (
    words
  );
  if (name === null || email === null) return person;
  return (
    <>
      {person}
      <span className={styles.under}>
        <EmailText>{email}</EmailText>
      </span>
    </>
  );
}
