import { siteSettings } from '../site-settings.ts';
import { EmailText } from '../ui/EmailText.tsx';

export function SupportLink({ children }: { children?: string }) {
  const { supportEmail } = siteSettings();
  // Where the address may wrap, some readers would hear two words.
  const name = children === undefined ? { 'aria-label': supportEmail } : {};
  return (
    <a href={`mailto:${supportEmail}`} className={children === undefined ? 'whole' : undefined} {...name}>
      {children ?? <EmailText before="@.">{supportEmail}</EmailText>}
    </a>
  );
}
