import styles from './Honeypot.module.css';

/** A field that no person meets, by eye, ear or keyboard: what fills it in is a robot. */
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
