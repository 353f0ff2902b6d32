import { IconFrame } from './IconFrame.tsx';

export function FailureIcon() {
  return (
    <IconFrame width={14} line={1.5}>
      <path d="M7 1.6 13 12.6H1Z" strokeLinejoin="round" />
      <path d="M7 5.4v3.6M7 10v1.2" />
    </IconFrame>
  );
}

/** Something failed: a diamond with an exclamation mark. */
export function FailedIcon() {
  return (
    <IconFrame width={14}>
      <path d="M7 0l7 7-7 7-7-7Z" fill="currentColor" />
      <path d="M7 3.4v4.2M7 9v1.6" stroke="var(--raised)" strokeWidth="1.6" />
    </IconFrame>
  );
}

/** Done or confirmed: a disc with a tick. */
export function SentIcon() {
  return (
    <IconFrame width={14}>
      <circle cx="7" cy="7" r="7" fill="currentColor" />
      <path d="M3.8 7.2 6.2 9.6 10.4 4.8" fill="none" stroke="var(--raised)" strokeWidth="1.6" />
    </IconFrame>
  );
}

/** Pending: an open ring with clock hands. */
export function PendingIcon() {
  return (
    <IconFrame width={14} line={1.5}>
      <circle cx="7" cy="7" r="6.2" />
      <path d="M7 3.4V7l2.6 1.6" />
    </IconFrame>
  );
}

export function TickIcon() {
  return (
    <IconFrame width={14} line={2}>
      <path d="M1.5 8 5 11.5 12.5 2.5" />
    </IconFrame>
  );
}

export function CloseIcon() {
  return (
    <IconFrame width={20} line={1.75}>
      <path d="M3 3l14 14M17 3 3 17" />
    </IconFrame>
  );
}

export function OutwardIcon() {
  return (
    <IconFrame width={12} line={1.6}>
      <path d="M1 11 10.4 1.6M3 1.2h7.8V9" />
    </IconFrame>
  );
}
