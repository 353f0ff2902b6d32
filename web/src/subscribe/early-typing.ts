let isTyped = false;

/** Notes whether somebody types into the page's form before it works. The browser puts back what was typed before only after the scripts. */
export function noteEarlyTyping(): void {
  const inputs = [...document.querySelectorAll<HTMLInputElement>('main form input')];
  isTyped = inputs.some(({ value, defaultValue }) => value !== defaultValue);
  document.addEventListener('beforeinput', () => (isTyped = true), { once: true, capture: true });
}

export const hasTypedEarly = () => isTyped;
