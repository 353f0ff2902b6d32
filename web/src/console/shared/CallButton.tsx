import type { ComponentProps } from 'react';
import { Button } from '../../ui/Button.tsx';
import { useUnavailable } from '../api/freshness.ts';

/** A button for what only the server can do. While it cannot be reached the button shows so, and a press says why. */
export function CallButton({ unavailable, ...rest }: ComponentProps<typeof Button>) {
  return <Button {...rest} unavailable={useUnavailable() ?? unavailable} />;
}
