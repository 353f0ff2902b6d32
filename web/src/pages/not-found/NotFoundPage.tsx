import { OFFER } from '@site/schema/offer';
import { PageHead } from '../../site/PageHead.tsx';
import { SiteFooter } from '../../site/SiteFooter.tsx';
import { SiteHeader } from '../../site/SiteHeader.tsx';
import { useSiteLocation } from '../../site/site-location.tsx';
import { SupportLink } from '../../site/SupportLink.tsx';
import { TickIcon } from '../../ui/icons.tsx';
import sheet from '../../ui/Sheet.module.css';
import styles from './NotFoundPage.module.css';

const REGISTER = [
  { path: '/', what: 'The front page, and what each issue holds' },
  {
    path: '/#sample-issue',
    what: `Issue #${OFFER.sampleIssue.number}: ${OFFER.sampleIssue.newLeads} New Leads`,
  },
  { path: '/#faq', what: 'What buyers ask first' },
];

/** The 404 page: the unknown URL struck out, above the pages that exist. */
export function NotFoundPage() {
  const { pathname } = useSiteLocation();
  return (
    <>
      <title>404 Page Not Found</title>
      <meta name="robots" content="noindex" />
      <SiteHeader />
      <main className="page">
        <PageHead heading="404 Page Not Found">
          <p>
            There is no entry under that address. It may have been mistyped, or the page has been
            struck off. These are on the register:
          </p>
        </PageHead>
        <table className={`${sheet.ledger} ${styles.register}`} aria-label="The register">
          <thead>
            <tr>
              <th scope="col" className={sheet.entry}>
                Address
              </th>
              <th scope="col">What is there</th>
              <th scope="col" className={styles.status}>
                Status
              </th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row" className={sheet.entry}>
                <StruckOff path={pathname} />
              </th>
              <td>The page you asked for</td>
              <td className={styles.status}>No entry</td>
            </tr>
            {REGISTER.map(({ path, what }) => (
              <tr key={path}>
                <th scope="row" className={sheet.entry}>
                  {path}
                </th>
                <td>
                  <a href={path}>{what}</a>
                </td>
                <td className={styles.status}>
                  <span className={styles.open}>
                    <TickIcon />
                    Open
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className={styles.tell}>
          If a link of ours brought you here, tell us: <SupportLink />
        </p>
      </main>
      <SiteFooter />
    </>
  );
}

function StruckOff({ path }: { path: string }) {
  return (
    <del className={styles.struck}>
      {/* The server writes the path as requested. The browser may normalise it. */}
      <bdi suppressHydrationWarning>{readable(path)}</bdi>
    </del>
  );
}

/** Decodes the path. Returns it unchanged if its encoding is broken. */
function readable(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
