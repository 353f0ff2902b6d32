import { useThrottledText } from '../time/use-throttled-text.ts';
import styles from './ShowNew.module.css';

/** On a busy day leads arrive every second, and announcing each one would make work impossible. */
const ANNOUNCED_EVERY_MS = 30_000;

/** Says what is new, and shows it when asked, so that the list never moves unasked. */
export function ShowNew({ what, onShow }: { what: string; onShow: () => void }) {
  const announced = useThrottledText(what, ANNOUNCED_EVERY_MS);
  return (
    <div className={styles.place}>
      <output className="visually-hidden">{announced}</output>
      {what !== '' && (
        <button type="button" className={styles.show} onClick={onShow}>
          Show {what}
        </button>
      )}
    </div>
  );
}
