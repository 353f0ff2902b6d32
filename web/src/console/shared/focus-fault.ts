/** Leads to the first field of a form that has an error, once that is shown: a field shows it a little later. */
export function focusFault(form: HTMLElement, frames = 10): void {
  requestAnimationFrame(() => {
    const field = form.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (field) field.focus();
    else if (frames > 0) focusFault(form, frames - 1);
  });
}
