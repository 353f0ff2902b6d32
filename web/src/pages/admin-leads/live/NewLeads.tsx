import styles from './NewLeads.module.css';
import { useSeldom } from '../use-seldom.ts';

/** The server counts no further. */
const MOST = 1_000;
/** On a good day leads come by the second; nobody could work who were told of each. */
const SAID_EVERY_MS = 30_000;

/** Says that leads came above the list, and shows them when asked: nothing moves under the eyes by itself. */
export function NewLeads({ count, onShow }: { count: number; onShow: () => void }) {
  const words = `${count >= MOST ? `${MOST.toLocaleString('en-GB')} or more` : count} new ${count === 1 ? 'lead' : 'leads'}`;
  const said = useSeldom(count > 0 ? words : '', SAID_EVERY_MS);
  return (
    <div className={styles.place}>
      <output className="visually-hidden">{said}</output>
      {count > 0 && (
        <button type="button" className={styles.show} onClick={onShow}>
          {words}, show
        </button>
      )}
    </div>
  );
}
