let lastInputAt: number | undefined;

const UNTOUCHED_AFTER_MS = 60_000;
const INPUTS = ['pointerdown', 'keydown', 'wheel'] as const;

/** Records the last time somebody used this page. Returns a function that stops it. */
export function watchInput(): () => void {
  const note = () => (lastInputAt = Date.now());
  note();
  for (const name of INPUTS) window.addEventListener(name, note, { capture: true, passive: true });
  return () => {
    lastInputAt = undefined;
    for (const name of INPUTS) window.removeEventListener(name, note, { capture: true });
  };
}

/** Returns true if nobody has used the page for a minute. Always false on an unwatched page. */
export function isUntouched(): boolean {
  return lastInputAt !== undefined && Date.now() - lastInputAt > UNTOUCHED_AFTER_MS;
}
