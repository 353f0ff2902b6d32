import { Button } from '../../ui/Button.tsx';
import { countOf, formatCount } from '../elements/format-count.ts';
import { useCorrection } from '../navigation/open-lead.ts';
import styles from './Drawer.module.css';

type NextCorrectionProps = {
  leadId: string;
  /** The leads of the list whose addresses are invalid. */
  invalid: readonly string[];
  /** The correction of this lead is being written. */
  isCorrecting: boolean;
  /** Its address is what has to be corrected first. */
  isWrong: boolean;
};

/** In a series of corrections: the way to the next invalid address of the list, and in the end what is left. */
export function NextCorrection({ leadId, invalid, isCorrecting, isWrong }: NextCorrectionProps) {
  const { done, ...correction } = useCorrection();
  const isCorrected = correction.isCorrected(leadId);
  const isPassedOver = correction.isCorrecting(leadId) && !isCorrecting;
  // A copy whose address is refused too is not the next.
  const left = invalid.filter((id) => id !== leadId && !done.includes(id));
  const [next] = left;
  if (next !== undefined && (isCorrected || isPassedOver)) {
    return (
      <Button
        look={isWrong ? 'line' : 'solid'}
        className={styles.next}
        onClick={() => correction.openCorrection(next, [leadId])}
      >
        {left.length === 1 ? 'Correct the last one…' : `Correct the next of ${formatCount(left.length)}…`}
      </Button>
    );
  }
  // One correction, with its copy, is no series.
  if (next !== undefined || !isCorrected || done.length <= 2) return null;
  return (
    <p>
      {invalid.length === 0
        ? 'Each invalid address of this list has been corrected.'
        : `${countOf(invalid.length, 'address', 'addresses')} of this list ${invalid.length === 1 ? 'is' : 'are'} still invalid.`}
    </p>
  );
}
