import { siteSettings } from '../site-settings.ts';

/**
 * A link to write to support, by its email or by the words in it. `end`: the sign after the email,
 * on its line.
 */
export function SupportLink({ children, end }: { children?: string; end?: string }) {
  const { supportEmail } = siteSettings();
  const href = `mailto:${supportEmail}`;
  if (children !== undefined) return <a href={href}>{children}</a>;
  return (
    <span className="whole">
      {/* Where the address may wrap, some readers would hear two words. */}
      <a href={href} aria-label={supportEmail}>
        <bdi>{supportEmail}</bdi>
      </a>
      {end}
    </span>
  );
}
