import type { ReactNode } from 'react';
import { ButtonLink } from '../../ui/Button.tsx';
import { OutwardIcon } from '../../ui/icons.tsx';
import styles from './StripeLink.module.css';

/** Opens something in Stripe's dashboard. */
export function StripeLink({ to, name }: { to: string; name: string }) {
  return (
    <a
      className={styles.link}
      href={to}
      target="_blank"
      rel="noreferrer"
      aria-label={`Open in Stripe: ${name}`}
    >
      Open in Stripe
    </a>
  );
}

type StripeButtonProps = { to: string; look?: 'solid' | 'line' | undefined; children: ReactNode };

/** Opens Stripe's dashboard for an action that only Stripe has. */
export function StripeButton({ to, look = 'line', children }: StripeButtonProps) {
  return (
    <ButtonLink look={look} size="small" href={to} target="_blank" rel="noreferrer">
      {children} <OutwardIcon />
    </ButtonLink>
  );
}
