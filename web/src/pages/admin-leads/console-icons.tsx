/** Opens downwards: a list to choose from. */
export function ChevronIcon() {
  return (
    <svg
      width="10"
      height="10"
      viewBox="0 0 10 10"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
    >
      <path d="M1 3l4 4 4-4" />
    </svg>
  );
}

export function SearchIcon() {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
    >
      <circle cx="6.5" cy="6.5" r="4.7" />
      <path d="M10 10l4.6 4.6" />
    </svg>
  );
}

/** Which end the list begins with: down for newest first. */
export function OrderIcon({ isUp }: { isUp: boolean }) {
  return (
    <svg
      width="9"
      height="12"
      viewBox="0 0 9 12"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
    >
      <path d={isUp ? 'M4.5 11.5v-10M1 5l3.5-3.5L8 5' : 'M4.5.5v10M1 7l3.5 3.5L8 7'} />
    </svg>
  );
}
