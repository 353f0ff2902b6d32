import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { HttpError } from '../../http.ts';
import { FailedIcon } from '../../ui/icons.tsx';
import { RECEIPTS } from '../navigation.ts';
import { toFailureText } from '../api/failure.ts';
import { LinkButton } from './fields.tsx';
import styles from './LoadState.module.css';

type LoadStateProps = {
  /** What is loading, in a word. */
  of: string;
  /** The last answer, which is shown below. */
  data?: unknown;
  failure: unknown;
  reload?: () => Promise<unknown>;
};

/**
 * Takes the place of data that is loading, and shows above data that it could not be loaded again.
 */
export function LoadState({ of, data, failure, reload }: LoadStateProps) {
  if (failure === undefined) return data === undefined ? <Loading of={of} /> : null;
  const again = data === undefined ? '' : ' again';
  if (of === 'person' && failure instanceof HttpError && [404, 422].includes(failure.status)) {
    return (
      <LoadFailure title="This person is not stored">
        Perhaps erased: <Link to={{ search: RECEIPTS }}>Receipts of erasures</Link>
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

/** Shows what could not be loaded, and what to do. */
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

/** Takes the place of a list that is empty. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      <p>{children}</p>
    </div>
  );
}
