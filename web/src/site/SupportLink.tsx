import { siteSettings } from '../site-settings.ts';

/** The address a person answers at, or other words that lead to it. */
export function SupportLink({ children }: { children?: string }) {
  const { supportEmail } = siteSettings();
  return <a href={`mailto:${supportEmail}`}>{children ?? supportEmail}</a>;
}
