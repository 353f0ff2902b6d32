import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { HttpError } from '../../http.ts';
import { FailedIcon } from '../../ui/icons.tsx';
import { RECEIPTS } from '../navigation.ts';
import { describeFault } from '../api/fault.ts';
import { LinkButton } from './fields.tsx';
import styles from './LoadState.module.css';

type LoadStateProps = {
  /** What is loading, in a word. */
  of: string;
  /** The last answer, which is shown below. */
  data?: unknown;
  fault: unknown;
  reload?: () => Promise<unknown>;
};

/** Takes the place of data that is loading, and shows above data that it could not be loaded again. */
export function LoadState({ of, data, fault, reload }: LoadStateProps) {
  if (fault === undefined) return data === undefined ? <Loading of={of} /> : null;
  const again = data === undefined ? '' : ' again';
  if (of === 'person' && fault instanceof HttpError && [404, 422].includes(fault.status)) {
    return (
      <LoadFault title="This person is not stored">
        Perhaps erased: <Link to={{ search: RECEIPTS }}>Receipts of erasures</Link>
      </LoadFault>
    );
  }
  return (
    <LoadFault title={`Could not load ${of}${again}`} reload={reload}>
      {describeFault(fault)}
    </LoadFault>
  );
}

export function Loading({ of }: { of: string }) {
  return <output className={styles.loading}>Loading {of}...</output>;
}

type LoadFaultProps = {
  title: string;
  reload?: (() => Promise<unknown>) | undefined;
  children: ReactNode;
};

/** Shows what could not be loaded, and what to do. */
export function LoadFault({ title, reload, children }: LoadFaultProps) {
  return (
    <div className={styles.fault} role="alert">
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
