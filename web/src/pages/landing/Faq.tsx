import type { ShownOffer } from '../../site/shown-offer.ts';
import { siteSettings } from '../../site-settings.ts';
import { SupportLink } from '../../site/SupportLink.tsx';
import { Accordion } from '../../ui/Accordion.tsx';
import { faqItems } from './faq-copy.ts';
import { Section } from './Section.tsx';

type Item = ReturnType<typeof faqItems>[number];

/** Adds the way to cancel to its answer, if the owner has set it. */
function withPortal(item: Item) {
  const { portalLoginUrl } = siteSettings();
  if (item.id !== 'cancel' || portalLoginUrl === null) return item;
  return {
    ...item,
    content: (
      <>
        {item.content} <a href={portalLoginUrl}>Manage subscription</a>
      </>
    ),
  };
}

/** The frequently asked questions. */
export function Faq({ offer }: { offer: ShownOffer }) {
  return (
    <Section
      id="faq"
      margin={{
        lead: 'FAQ',
        note: (
          <>
            Anything else: <SupportLink>write to us</SupportLink> and a person answers.
          </>
        ),
      }}
      heading="What buyers ask first"
    >
      <Accordion name="faq" items={faqItems(offer).map(withPortal)} />
    </Section>
  );
}
