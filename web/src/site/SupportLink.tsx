import { siteSettings } from '../site-settings.ts';
import { EmailText } from '../ui/EmailText.tsx';

/** A link to the support address, with optional link text. */
export function SupportLink({ children }: { children?: string }) {
  const { supportEmail } = siteSettings();
  return <a href={`mailto:${supportEmail}`}>{children ?? <EmailText>{supportEmail}</EmailText>}</a>;
}
