/** Drawn where a shape says more than a word; all of them are decoration to a screen reader. */

/** A field that is not right. */
export function FaultIcon() {
  return (
    <svg
      width="14"
      height="14"
      viewBox="0 0 14 14"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
    >
      <path d="M7 1.6 13 12.6H1Z" strokeLinejoin="round" />
      <path d="M7 5.4v3.6M7 10v1.2" />
    </svg>
  );
}

/** Something failed: a diamond with an exclamation mark. */
export function FailedIcon() {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      <path d="M7 0l7 7-7 7-7-7Z" fill="currentColor" />
      <path d="M7 3.4v4.2M7 9v1.6" stroke="var(--raised)" strokeWidth="1.6" />
    </svg>
  );
}

/** Done or confirmed: a disc with a tick. */
export function SentIcon() {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      <circle cx="7" cy="7" r="7" fill="currentColor" />
      <path d="M3.8 7.2 6.2 9.6 10.4 4.8" fill="none" stroke="var(--raised)" strokeWidth="1.6" />
    </svg>
  );
}

/** Awaited: an open ring with clock hands. */
export function PendingIcon() {
  return (
    <svg
      width="14"
      height="14"
      viewBox="0 0 14 14"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
    >
      <circle cx="7" cy="7" r="6.2" />
      <path d="M7 3.4V7l2.6 1.6" />
    </svg>
  );
}

export function TickIcon() {
  return (
    <svg
      width="14"
      height="14"
      viewBox="0 0 14 14"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
    >
      <path d="M1.5 8 5 11.5 12.5 2.5" />
    </svg>
  );
}

export function CloseIcon() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" stroke="currentColor" strokeWidth="1.75">
      <path d="M3 3l14 14M17 3 3 17" />
    </svg>
  );
}

/** Leads to another site, in a tab of its own. */
export function OutwardIcon() {
  return (
    <svg
      width="12"
      height="12"
      viewBox="0 0 12 12"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
    >
      <path d="M1 11 10.4 1.6M3 1.2h7.8V9" />
    </svg>
  );
}
