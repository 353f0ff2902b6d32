import { Button } from '../../ui/Button.tsx';
import { countOf, formatCount } from '../shared/format-count.ts';
import { LinkButton } from '../shared/LinkButton.tsx';
import { useCorrection } from '../navigation/open-lead.ts';
import type { InvalidLeads } from '../navigation/open-lead.ts';
import styles from './Drawer.module.css';

type NextCorrectionProps = {
  leadId: string;
  invalid: InvalidLeads;
  /** This lead's own address is corrected first. */
  isWrong: boolean;
};

/** After a correction: the way to the next invalid address of the list, and in the end to those that are left. */
export function NextCorrection({ leadId, invalid, isWrong }: NextCorrectionProps) {
  const { done, isCorrected, leftAfter, openCorrection, openSeries } = useCorrection();
  if (!isCorrected(leadId)) return null;
  const left = leftAfter(leadId, invalid);
  if (left[0] !== undefined) {
    const [next] = left;
    return (
      <Button
        look={isWrong ? 'line' : 'solid'}
        className={styles.next}
        onClick={() => openCorrection(next, leadId)}
      >
        Correct the next, {formatCount(left.length, invalid.hasMore)} left…
      </Button>
    );
  }
  // One correction, with its copy, is no series.
  if (done.length <= 2) return null;
  const { ids, hasMore } = invalid;
  const [first] = ids;
  const list = hasMore ? 'the loaded leads' : 'this list';
  if (first === undefined) return <p>Each invalid address of {list} has been corrected.</p>;
  const isOne = ids.length === 1;
  return (
    <p>
      {countOf(ids.length, 'address', 'addresses')} of {list} {isOne ? 'is' : 'are'} still invalid.{' '}
      <LinkButton onClick={() => openSeries(first)}>Correct {isOne ? 'it' : 'each'}…</LinkButton>
    </p>
  );
}
