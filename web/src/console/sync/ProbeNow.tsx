import { LinkButton } from '../elements/LinkButton.tsx';
import styles from './SyncStrip.module.css';
import type { useProbe } from './use-probe.ts';

/** Asks for the probe that ends a pause or an outage, without waiting for its time, and tells how it went. */
export function ProbeNow({ isProbing, outcome, ask }: ReturnType<typeof useProbe>) {
  return (
    <>
      <output className={styles.outcome}>{outcome}</output>
      <LinkButton aria-disabled={isProbing || undefined} onClick={() => void ask()}>
        {isProbing ? 'Probing...' : 'Probe now'}
      </LinkButton>
    </>
  );
}
