import { toasts } from '../../ui/toast-store.ts';

/** Copies a text to the clipboard, and says in a toast whether the browser allowed it. */
export async function copyText(text: string, description: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toasts.add({ title: 'Copied', description });
  } catch (error) {
    console.error('The text could not be copied', error);
    // A line can be copied by hand from there.
    if (text.includes('\n')) {
      toasts.add({
        title: 'Copy failed',
        description: 'The browser did not allow it.',
        tone: 'destructive',
      });
    } else window.prompt('The browser did not allow copying. Copy it from here:', text);
  }
}
