import { formatCount } from '../shared/format-count.ts';
import { useThrottledText } from '../shared/use-throttled-text.ts';
import styles from './NewLeads.module.css';

/** The server stops counting here. */
const MOST = 1_000;
/** On a busy day leads arrive every second, and announcing each one would make work impossible. */
const ANNOUNCED_EVERY_MS = 30_000;

/** Says how many new leads there are, and shows them when asked, so that the list never moves unasked. */
export function NewLeads({ count, onShow }: { count: number; onShow: () => void }) {
  const label = `${count >= MOST ? `${formatCount(MOST)} or more` : count} new ${count === 1 ? 'lead' : 'leads'}`;
  const announced = useThrottledText(count > 0 ? label : '', ANNOUNCED_EVERY_MS);
  return (
    <div className={styles.place}>
      <output className="visually-hidden">{announced}</output>
      {count > 0 && (
        <button type="button" className={styles.show} onClick={onShow}>
          Show {label}
        </button>
      )}
    </div>
  );
}
