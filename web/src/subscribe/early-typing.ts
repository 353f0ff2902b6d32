const typed = new Set<string>();

/** Notes in which fields of the page's form somebody types before it works. What was there before, the browser puts back only after the scripts. */
export function noteEarlyTyping(): void {
  for (const { name, value, defaultValue } of document.querySelectorAll<HTMLInputElement>(
    'main form input',
  ))
    if (value !== defaultValue) typed.add(name);
  document.addEventListener(
    'beforeinput',
    ({ target }) => target instanceof HTMLInputElement && typed.add(target.name),
  );
}

export const isTypedEarly = (name: string) => typed.has(name);
