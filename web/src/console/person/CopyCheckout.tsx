import type { LeadCheckout } from '@site/schema/calls/subscriptions';
import type { ComponentProps, ComponentType } from 'react';
import { copyText } from '../shared/fields.tsx';
import { describeRecovery, NOT_TO_OPEN } from './labels.ts';

type CopyCheckoutProps = Pick<ComponentProps<'button'>, 'className'> & {
  of: Pick<LeadCheckout, 'recoveryUrl' | 'recoveryEndsAt'>;
  now: Date;
  /** Who it is about, if others are beside it. */
  whom?: string;
  as: ComponentType<ComponentProps<'button'>>;
};

/** Copies a checkout's recovery link, or without one the form's, which always works. */
export function CopyCheckout({ of, now, whom, as: Press, ...rest }: CopyCheckoutProps) {
  const { url } = describeRecovery(of, now);
  const label = url === undefined ? 'Copy link to the form' : 'Copy link';
  const copy = async () =>
    url === undefined
      ? copyText(`${window.location.origin}/subscribe`, 'It opens the form, which begins anew.')
      : copyText(url, NOT_TO_OPEN);
  return (
    <Press {...rest} aria-label={whom && `${label} of ${whom}`} onClick={() => void copy()}>
      {label}
    </Press>
  );
}
