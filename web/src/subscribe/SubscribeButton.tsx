import type { SubscribeButton as ButtonName } from '@site/schema/lead';
import type { ComponentProps, KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { ButtonLink } from '../ui/Button.tsx';
import { useSubscribeControl } from './SubscribeProvider.tsx';

type SubscribeButtonProps = Pick<ComponentProps<typeof ButtonLink>, 'size' | 'children'> & {
  /** The button's name, which is stored with the lead. */
  from: ButtonName;
};

/**
 * Opens the subscribe dialog. In the HTML the button is a link to the form's own page, which works
 * without scripts and in a new tab.
 */
export function SubscribeButton({ from, ...look }: SubscribeButtonProps) {
  return <ButtonLink {...look} {...useOpener(from)} />;
}

export function SubscribeLink({ from, children }: { from: ButtonName; children: ReactNode }) {
  return <a {...useOpener(from)}>{children}</a>;
}

function useOpener(from: ButtonName): ComponentProps<'a'> {
  const { preload, open } = useSubscribeControl();

  function openDialog(event: MouseEvent<HTMLAnchorElement>): void {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open(from, event.currentTarget);
  }

  return {
    href: `/subscribe?from=${from}`,
    rel: 'nofollow',
    // A button does nothing before scripts run.
    role: 'button',
    'aria-haspopup': 'dialog',
    onPointerEnter: preload,
    onClick: openDialog,
    onKeyDown: clickOnSpace,
  };
}

/** Clicks on the space bar, as a button does. A link only reacts to Enter. */
function clickOnSpace(event: KeyboardEvent<HTMLAnchorElement>): void {
  if (event.key !== ' ') return;
  event.preventDefault();
  event.currentTarget.click();
}
