import styles from './Money.module.css';

/** Opens something in Stripe's dashboard. */
export function StripeLink({ to, name }: { to: string; name: string }) {
  return (
    <a className={styles.link} href={to} target="_blank" rel="noreferrer" aria-label={`Open in Stripe: ${name}`}>
      Open in Stripe
    </a>
  );
}
