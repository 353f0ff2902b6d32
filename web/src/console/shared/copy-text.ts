import { toasts } from '../../ui/toast-store.ts';

/**
 * Copies a text to the clipboard, or one that is still being fetched, and shows in a toast whether
 * the browser allowed it. Throws what kept the text from being fetched. Call it during the press:
 * Safari refuses later calls.
 */
export async function copyText(source: string | Promise<string>, description: string) {
  try {
    await (typeof source === 'string'
      ? navigator.clipboard.writeText(source)
      : navigator.clipboard.write([new ClipboardItem({ 'text/plain': toBlob(source) })]));
    toasts.add({ title: 'Copied', description });
  } catch (error) {
    const text = await source;
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

const toBlob = async (text: Promise<string>) => new Blob([await text], { type: 'text/plain' });
