import { FailedIcon, PendingIcon, SentIcon } from '../../ui/icons.tsx';
import { IconFrame } from '../../ui/IconFrame.tsx';

/** An arrow down: a list to choose from. */
export function ChevronIcon() {
  return (
    <IconFrame width={10} line={1.6}>
      <path d="M1 3l4 4 4-4" />
    </IconFrame>
  );
}

/** Quarantined: a shield. */
function QuarantinedIcon() {
  return (
    <IconFrame width={14} line={1.6}>
      <path d="M7 1l5 2v3.6c0 3.1-2 5.3-5 6.4-3-1.1-5-3.3-5-6.4V3z" />
    </IconFrame>
  );
}

/** Unknown: an open ring with a question mark. */
function UnknownIcon() {
  return (
    <IconFrame width={14} line={1.5}>
      <circle cx="7" cy="7" r="6.2" />
      <path d="M5.2 5.4a1.8 1.8 0 1 1 2.6 1.6c-.6.3-.8.6-.8 1.2M7 9.6v1.3" />
    </IconFrame>
  );
}

export function SearchIcon() {
  return (
    <IconFrame width={16} line={1.6}>
      <circle cx="6.5" cy="6.5" r="4.7" />
      <path d="M10 10l4.6 4.6" />
    </IconFrame>
  );
}

/** The order: down for newest first. */
export function OrderIcon({ isUp }: { isUp: boolean }) {
  return (
    <IconFrame width={9} height={12} line={1.7}>
      <path d={isUp ? 'M4.5 11.5v-10M1 5l3.5-3.5L8 5' : 'M4.5.5v10M1 7l3.5 3.5L8 7'} />
    </IconFrame>
  );
}

/** Over: a small ring. */
function PastIcon() {
  return (
    <IconFrame width={14} line={1.5}>
      <circle cx="7" cy="7" r="3.6" />
    </IconFrame>
  );
}

/** The icon of each tone, always with words beside it. */
export const TONE_ICONS = {
  sent: SentIcon,
  pending: PendingIcon,
  failed: FailedIcon,
  quarantined: QuarantinedIcon,
  past: PastIcon,
  none: UnknownIcon,
};
export type Tone = keyof typeof TONE_ICONS;
