import { formatPence, OFFER } from '@site/schema/offer';
import type { PageRequest } from '@site/schema/page-render';
import { londonDate } from '@site/schema/calendar';
import { HERO, PAGE } from '../pages/landing/copy.ts';
import { faqItems } from '../pages/landing/faq-copy.ts';
import { shownOffer } from '../site/shown-offer.ts';

/** The picture for a link's preview. Draw it again if the name or the headline changes. */
const SHARE_PICTURE = {
  path: '/share.png',
  width: 1_200,
  height: 630,
  alt: `${OFFER.productName}: ${HERO.headline.join(' ')} Below it the first entries of a ledger.`,
};

type HeadRequest = Pick<PageRequest, 'site' | 'now'>;

/** Renders the landing page's metadata for search engines and link previews. */
export function landingHead({ site, now }: HeadRequest): string {
  const url = `${site.publicUrl}/`;
  const picture = site.publicUrl + SHARE_PICTURE.path;
  const properties = {
    'og:type': 'website',
    'og:site_name': OFFER.productName,
    'og:locale': 'en_GB',
    'og:url': url,
    'og:title': PAGE.title,
    'og:description': PAGE.description,
    'og:image': picture,
    'og:image:type': 'image/png',
    'og:image:width': String(SHARE_PICTURE.width),
    'og:image:height': String(SHARE_PICTURE.height),
    'og:image:alt': SHARE_PICTURE.alt,
  };
  return [
    `<link rel="canonical" href="${escapeHtml(url)}">`,
    ...Object.entries(properties).map(
      ([name, text]) => `<meta property="${name}" content="${escapeHtml(text)}">`,
    ),
    '<meta name="twitter:card" content="summary_large_image">',
    ...[offerData(url, picture, site, now), faqData(site)].map(
      (data) => `<script type="application/ld+json">${toScriptJson(data)}</script>`,
    ),
  ].join('');
}

function offerData(url: string, image: string, site: HeadRequest['site'], now: Date): object {
  const { isLaunch, monthlyPricePence } = shownOffer(site);
  const price = (monthlyPricePence / 100).toFixed(2);
  const priceCurrency = OFFER.currency.toUpperCase();
  // If the announced day has passed during the launch, the end is unknown.
  const hasEnd = isLaunch && londonDate(now) < site.priceRisesOn;
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: OFFER.productName,
    description: PAGE.description,
    image,
    url,
    brand: { '@type': 'Brand', name: OFFER.productName },
    offers: {
      '@type': 'Offer',
      url,
      price,
      priceCurrency,
      availability: 'https://schema.org/InStock',
      ...(hasEnd && { priceValidUntil: site.priceRisesOn }),
      description: `${formatPence(monthlyPricePence)} a month after a ${OFFER.trialDays}-day trial`,
      seller: { '@type': 'Organization', name: site.traderName, email: site.supportEmail },
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        price,
        priceCurrency,
        referenceQuantity: { '@type': 'QuantitativeValue', value: 1, unitCode: 'MON' },
      },
    },
  };
}

function faqData(site: HeadRequest['site']): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'FAQPage',
    mainEntity: faqItems(shownOffer(site)).map(({ heading, content }) => ({
      '@type': 'Question',
      name: heading,
      acceptedAnswer: { '@type': 'Answer', text: content },
    })),
  };
}

/** Escapes JSON so that it cannot close its script element. */
function toScriptJson(data: object): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
