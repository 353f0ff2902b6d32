import { Link } from 'react-router-dom';
import { toPerson } from '../navigation.ts';
import nameStyles from '../shared/NameLink.module.css';
import styles from './Money.module.css';

type MoneyLeadLinkProps = { leadId: string | null; email: string | null; name?: string | null };

/** Links a name above an email, or an email alone, to the person. Plain text without a lead. */
export function MoneyLeadLink({ leadId, email, name = null }: MoneyLeadLinkProps) {
  const shown = name ?? email;
  const unknown = leadId === null ? 'No email given' : 'The person';
  const words = shown === null ? unknown : <bdi>{shown}</bdi>;
  return (
    <>
      {leadId === null ? (
        words
      ) : (
        <Link className={nameStyles.name} to={{ search: toPerson(leadId) }}>
          {words}
        </Link>
      )}
      {name !== null && email !== null && (
        <span className={styles.under}>
          <bdi>{email}</bdi>
        </span>
      )}
    </>
  );
}
