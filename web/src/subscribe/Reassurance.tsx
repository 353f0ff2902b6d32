import type { ReactNode } from 'react';
import { SupportLink } from '../site/SupportLink.tsx';
import styles from './SubscribeDialog.module.css';

/** Why the visitor is at the form again: the checkout did not open, or they came back from Stripe without paying. */
export type Setback = 'failed' | 'returned';

const WORDS: Record<Setback, ReactNode> = {
  failed: (
    <>
      The checkout did not open. Nothing was charged. Your details are saved. If it happens again, write to{' '}
      <SupportLink />.
    </>
  ),
  returned: 'You came back from Stripe without paying. Nothing was charged, and your details are still here.',
};

/** Stays beside the button after a checkout that came to nothing. */
export function Reassurance({ setback }: { setback: Setback | null }) {
  return <div aria-live="polite">{setback !== null && <p className={styles.refusal}>{WORDS[setback]}</p>}</div>;
}
