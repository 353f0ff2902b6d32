import type { ReactNode } from 'react';
import { FailedIcon } from '../../../ui/icons.tsx';
import { describeFault } from '../api/call-fault.ts';
import { LinkButton } from './LinkButton.tsx';
import styles from './LoadState.module.css';

type LoadStateProps = {
  /** What is loading, in a word. */
  of: string;
  fault: unknown;
  /** The last answer is shown below. */
  hasLast?: boolean;
  onTryAgain?: () => Promise<unknown>;
};

/** Takes the place of data that is loading or could not be loaded. */
export function LoadState({ of, fault, hasLast = false, onTryAgain }: LoadStateProps) {
  if (fault === undefined) return <output>Loading {of}...</output>;
  return (
    <LoadFault title={`Could not load ${of}${hasLast ? ' again' : ''}`}>
      {describeFault(fault)} {hasLast && 'What follows was loaded before. '}
      {onTryAgain && <LinkButton onClick={() => void onTryAgain()}>Try again</LinkButton>}
    </LoadFault>
  );
}

/** Says what could not be loaded, and what to do. */
export function LoadFault({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.fault} role="alert">
      <p className={styles.title}>
        <FailedIcon />
        {title}
      </p>
      <p className={styles.words}>{children}</p>
    </div>
  );
}
