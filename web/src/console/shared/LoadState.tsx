import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { HttpError } from '../../http.ts';
import { FailedIcon } from '../../ui/icons.tsx';
import { RECEIPTS } from '../navigation.ts';
import { toFailureText } from '../api/failure.ts';
import { LinkButton } from './fields.tsx';
import styles from './LoadState.module.css';

type LoadStateProps = {
  /** The loading data, in a word. */
  of: string;
  /** The last answer, shown below. */
  data?: unknown;
  failure: unknown;
  reload?: () => Promise<unknown>;
};

/** Takes the place of loading data, and reports a failed reload above the old data. */
export function LoadState({ of, data, failure, reload }: LoadStateProps) {
  if (failure === undefined) return data === undefined ? <Loading of={of} /> : null;
  const again = data === undefined ? '' : ' again';
  if (of === 'person' && failure instanceof HttpError && [404, 422].includes(failure.status)) {
    return (
      <LoadFailure title="This person is not stored">
        Perhaps erased: <Link to={{ search: RECEIPTS }}>Erasure receipts</Link>
      </LoadFailure>
    );
  }
  return (
    <LoadFailure title={`Could not load ${of}${again}`} reload={reload}>
      {toFailureText(failure)}
    </LoadFailure>
  );
}

export function Loading({ of }: { of: string }) {
  return <output className={styles.loading}>Loading {of}...</output>;
}

type LoadFailureProps = {
  title: string;
  reload?: (() => Promise<unknown>) | undefined;
  children: ReactNode;
};

/** Shows the failure to load something, and its remedy. */
export function LoadFailure({ title, reload, children }: LoadFailureProps) {
  return (
    <div className={styles.failure} role="alert">
      <p className={styles.title}>
        <FailedIcon />
        {title}
      </p>
      <p>
        {children} {reload && <LinkButton onClick={() => void reload()}>Try again</LinkButton>}
      </p>
    </div>
  );
}

/** Takes the place of an empty list. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      <p>{children}</p>
    </div>
  );
}
