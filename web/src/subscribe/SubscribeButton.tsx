import type { SubscribeButton as ButtonName } from '@site/schema/lead';
import type { ComponentProps, KeyboardEvent, MouseEvent } from 'react';
import { ButtonLink } from '../ui/Button.tsx';
import { useSubscribeControl } from './SubscribeProvider.tsx';

type SubscribeButtonProps = Pick<ComponentProps<typeof ButtonLink>, 'size' | 'onBand' | 'wide' | 'children'> & {
  /** Which button this is: it is kept with the lead. */
  from: ButtonName;
};

/**
 * Opens the subscribe dialog. In the HTML it is a link to the same form as a page of its own: that is where
 * it leads until scripts run, where they never run, and in a tab opened on purpose.
 */
export function SubscribeButton({ from, ...look }: SubscribeButtonProps) {
  const { preload, open } = useSubscribeControl();

  function press(event: MouseEvent<HTMLAnchorElement>): void {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open(from, event.currentTarget);
  }

  return (
    <ButtonLink
      {...look}
      href={`/subscribe?from=${from}`}
      rel="nofollow"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a button cannot lead anywhere before scripts run
      role="button"
      aria-haspopup="dialog"
      onPointerEnter={preload}
      onFocus={preload}
      onClick={press}
      onKeyDown={pressWithSpace}
    />
  );
}

/** A link is pressed with Enter alone; a button with the space bar too. */
function pressWithSpace(event: KeyboardEvent<HTMLAnchorElement>): void {
  if (event.key !== ' ') return;
  event.preventDefault();
  event.currentTarget.click();
}
