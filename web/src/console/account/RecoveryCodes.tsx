import { Button } from '../../ui/Button.tsx';
import { copyText } from '../shared/fields.tsx';
import styles from './AccountView.module.css';

const takeFocus = (heading: HTMLElement | null) => heading?.focus();

/** Shows recovery codes, which are never shown again. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <div className={styles.section}>
      <h3 ref={takeFocus} tabIndex={-1}>
        Your recovery codes
      </h3>
      <p>
        Each lets you log in once without your phone. They are shown only now: keep them where you
        keep passwords, not on the phone.
      </p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <Button
          look="line"
          onClick={() =>
            void copyText(codes.join('\n'), 'The recovery codes are on the clipboard.')
          }
        >
          Copy
        </Button>
        <Button onClick={onDone}>I have kept them</Button>
      </div>
    </div>
  );
}
