import { siteSettings } from '../site-settings.ts';

/** A link to the support address, with optional link text. */
export function SupportLink({ children }: { children?: string }) {
  const { supportEmail } = siteSettings();
  return <a href={`mailto:${supportEmail}`}>{children ?? supportEmail}</a>;
}
