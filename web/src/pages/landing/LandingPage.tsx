import { shownOffer } from '../../site/shown-offer.ts';
import { SiteFooter, SUBSCRIBE } from '../../site/SiteFooter.tsx';
import { SubscribeLink } from '../../subscribe/SubscribeButton.tsx';
import { SubscribeProvider } from '../../subscribe/SubscribeProvider.tsx';
import { PAGE } from './copy.ts';
import { Faq } from './Faq.tsx';
import { Features } from './Features.tsx';
import { Guarantee } from './Guarantee.tsx';
import { Hero } from './Hero.tsx';
import { Nav } from './Nav.tsx';
import { Pricing } from './Pricing.tsx';
import { Results } from './Results.tsx';
import { Reviews } from './Reviews.tsx';
import { SampleIssue } from './SampleIssue.tsx';
import { WhyItWorks } from './WhyItWorks.tsx';

/** The landing page with its eleven sections. */
export function LandingPage() {
  const offer = shownOffer();
  return (
    <SubscribeProvider>
      <title>{PAGE.title}</title>
      <meta name="description" content={PAGE.description} />
      <Nav offer={offer} />
      <main id="content">
        <Hero offer={offer} />
        <Features />
        <Results />
        <SampleIssue />
        <WhyItWorks />
        <Reviews />
        <Guarantee />
        <Faq offer={offer} />
        <Pricing offer={offer} />
      </main>
      <SiteFooter subscribe={<SubscribeLink from="bottom_sub">{SUBSCRIBE}</SubscribeLink>} />
    </SubscribeProvider>
  );
}
