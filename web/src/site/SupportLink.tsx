import { siteSettings } from '../site-settings.ts';

/**
 * Links to support, by its email or by the given words. `end`: the sign after the email, on its
 * line.
 */
export function SupportLink({ children, end }: { children?: string; end?: string }) {
  const { supportEmail } = siteSettings();
  const href = `mailto:${supportEmail}`;
  if (children !== undefined) return <a href={href}>{children}</a>;
  return (
    <span className="whole">
      {/* A screen reader would read two words around a possible line break. */}
      <a href={href} aria-label={supportEmail}>
        <bdi>{supportEmail}</bdi>
      </a>
      {end}
    </span>
  );
}
