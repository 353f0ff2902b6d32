import { Link } from 'react-router-dom';
import { toPerson } from '../navigation.ts';
import styles from '../shared/NameLink.module.css';

type PersonLinkProps = {
  leadId?: string | null | undefined;
  email: string | null;
  name?: string | null;
};

/** Links a name above an email, or an email alone, to the person. Plain text without a lead. */
export function PersonLink({ leadId = null, email, name = null }: PersonLinkProps) {
  const shown = name ?? email;
  const unknown = leadId === null ? 'No email given' : 'The person';
  const words = shown === null ? unknown : <bdi>{shown}</bdi>;
  return (
    <>
      {leadId === null ? (
        words
      ) : (
        <Link className={styles.name} to={{ search: toPerson(leadId) }}>
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
