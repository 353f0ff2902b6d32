import type { SubscribeButton as ButtonName } from '@site/schema/lead';
import type { ComponentProps } from 'react';
import { Button } from '../ui/Button.tsx';
import { useSubscribeControl } from './SubscribeProvider.tsx';

type SubscribeButtonProps = Pick<ComponentProps<typeof Button>, 'size' | 'onBand' | 'wide' | 'children'> & {
  /** Which button this is: it is kept with the lead. */
  from: ButtonName;
};

/** Opens the subscribe dialog. */
export function SubscribeButton({ from, ...look }: SubscribeButtonProps) {
  const { preload, open } = useSubscribeControl();
  return (
    <Button
      {...look}
      aria-haspopup="dialog"
      onPointerEnter={preload}
      onFocus={preload}
      onClick={(event) => open(from, event.currentTarget)}
    />
  );
}
