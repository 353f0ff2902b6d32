import type { NewsletterPort, Verdict } from './newsletter.port.ts';

/**
 * Confirms that the newsletter does not know an address, after an answer that says so: with a wrong publication, everybody
 * is absent. Returns the answer, or the one that shows that it cannot be relied on.
 */
export async function confirmAbsence<T extends Verdict>(
  newsletter: Pick<NewsletterPort, 'listFields'>,
  answer: T,
): Promise<T | Verdict> {
  const fields = await newsletter.listFields(1);
  return fields.class === 'accepted' ? answer : fields;
}
