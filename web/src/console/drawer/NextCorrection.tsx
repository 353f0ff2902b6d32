import { Button } from '../../ui/Button.tsx';
import { countOf, formatCount } from '../elements/format-count.ts';
import { LinkButton } from '../elements/LinkButton.tsx';
import { useCorrection } from '../navigation/open-lead.ts';
import styles from './Drawer.module.css';

type NextCorrectionProps = {
  leadId: string;
  /** The leads of the list whose addresses are invalid. */
  invalid: readonly string[];
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
      <Button look={isWrong ? 'line' : 'solid'} className={styles.next} onClick={() => openCorrection(next, leadId)}>
        Correct the next, {formatCount(left.length)} left…
      </Button>
    );
  }
  // One correction, with its copy, is no series.
  if (done.length <= 2) return null;
  const [first] = invalid;
  if (first === undefined) return <p>Each invalid address of this list has been corrected.</p>;
  const isOne = invalid.length === 1;
  return (
    <p>
      {countOf(invalid.length, 'address', 'addresses')} of this list {isOne ? 'is' : 'are'} still invalid.{' '}
      <LinkButton onClick={() => openSeries(first)}>Correct {isOne ? 'it' : 'each'}…</LinkButton>
    </p>
  );
}
