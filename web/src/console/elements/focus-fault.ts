/** Leads to the first field of a form that has an error, once that is shown. */
export function focusFault(form: HTMLElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
