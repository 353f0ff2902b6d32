import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { HttpError } from '../../http.ts';
import { FailedIcon } from '../../ui/icons.tsx';
import { RECEIPTS } from '../navigation/console-views.ts';
import { describeFault, isAway, loadedBefore } from '../api/call-fault.ts';
import { useFreshness } from '../api/freshness.ts';
import { describeMoment } from './london-time.ts';
import { useNow } from './use-now.ts';
import { LinkButton } from './LinkButton.tsx';
import { SectionHead } from './SectionHead.tsx';
import { Skeleton } from './Skeleton.tsx';
import styles from './LoadState.module.css';

type LoadStateProps = {
  /** What is loading, in a word. */
  of: string;
  /** The last answer, which is shown below. */
  data?: unknown;
  fault: unknown;
  reload?: () => Promise<unknown>;
  /** It was deleted after it was loaded. */
  isGone?: boolean;
};

/** Where to look if one is not stored. The way back to people stands above them. */
const ELSEWHERE: Record<string, { why?: string; search: string; name: string } | undefined> = {
  lead: { search: '', name: 'Leads' },
  person: { why: 'Perhaps erased: ', search: RECEIPTS, name: 'Receipts of erasures' },
  invoice: {
    why: 'There is no such invoice, or its payer was erased. ',
    search: 'view=money',
    name: 'Money',
  },
};

/** Takes the place of data that is loading, and says above data that it could not be loaded again. */
export function LoadState({ of, data, fault, reload, isGone = false }: LoadStateProps) {
  const now = useNow(false);
  const { isUnreachable } = useFreshness();
  const hasLast = data !== undefined;
  if (fault === undefined && !isGone) return hasLast ? null : <Loading of={of} />;
  const elsewhere = ELSEWHERE[of];
  const isMissing = isGone || (fault instanceof HttpError && [404, 422].includes(fault.status));
  if (elsewhere && isMissing) {
    return (
      <LoadFault title={`This ${of} is not stored${hasLast ? ' any more' : ''}`}>
        {elsewhere.why}
        <Link to={{ search: elsewhere.search }}>{elsewhere.name}</Link>
      </LoadFault>
    );
  }
  // What is shown is as old as the strip says.
  if (hasLast && isUnreachable) return null;
  const at = fault instanceof Error && loadedBefore.get(fault);
  return (
    <LoadFault title={`Could not load ${of}${hasLast ? ' again' : ''}`}>
      {describeFault(fault)}{' '}
      {hasLast && `Showing what was loaded ${at ? `at ${describeMoment(at, now)}` : 'before'}. `}
      <LoadAgain fault={fault} onTryAgain={reload} />
    </LoadFault>
  );
}

/** Bars where rows will be, below the titles of their parts if it has several. */
export function Loading({ of, parts = [''] }: { of: string; parts?: readonly string[] }) {
  return (
    <>
      <output className="visually-hidden">Loading {of}...</output>
      {parts.map((part) => (
        <div key={part} aria-hidden="true">
          {part !== '' && <SectionHead title={part} />}
          <Skeleton rows={4} />
        </div>
      ))}
    </>
  );
}

type LoadAgainProps = { fault: unknown; onTryAgain?: (() => Promise<unknown>) | undefined };

/** Offers to load again at once. Unless the server refused the call, that also happens without a press. */
export function LoadAgain({ fault, onTryAgain }: LoadAgainProps) {
  return (
    <>
      {isAway(fault) && 'This loads automatically when the server answers again.'}{' '}
      {onTryAgain && (
        <LinkButton onClick={() => void onTryAgain()}>
          {isAway(fault) ? 'Try now' : 'Try again'}
        </LinkButton>
      )}
    </>
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
