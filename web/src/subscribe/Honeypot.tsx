import styles from './Honeypot.module.css';

/**
 * Renders a field hidden from sight, screen readers and the keyboard, so only a bot fills it in.
 */
export function Honeypot() {
  return (
    <div className={styles.trap} aria-hidden="true">
      <label>
        Website
        <input name="website" type="text" tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  );
}
