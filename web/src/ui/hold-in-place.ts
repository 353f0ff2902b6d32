/** Keeps what was pressed where it is when content above it closes, which would take it off a small screen. */
export function holdInPlace({ currentTarget }: { currentTarget: HTMLElement }): void {
  const { top } = currentTarget.getBoundingClientRect();
  requestAnimationFrame(() => {
    window.scrollBy({ top: currentTarget.getBoundingClientRect().top - top, behavior: 'instant' });
  });
}
