import styles from './NewLeads.module.css';

/** The server counts no further. */
const MOST = 1_000;

/** Says that leads came above the list, and shows them when asked: nothing moves under the eyes by itself. */
export function NewLeads({ count, onShow }: { count: number; onShow: () => void }) {
  const words = `${count >= MOST ? `${MOST.toLocaleString('en-GB')} or more` : count} new ${count === 1 ? 'lead' : 'leads'}`;
  return (
    <div className={styles.place}>
      <output className="visually-hidden">{count > 0 && words}</output>
      {count > 0 && (
        <button type="button" className={styles.show} onClick={onShow}>
          {words}, show
        </button>
      )}
    </div>
  );
}
