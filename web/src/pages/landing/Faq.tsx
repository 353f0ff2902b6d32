import type { ShownOffer } from '../../site/shown-offer.ts';
import { SupportLink } from '../../site/SupportLink.tsx';
import { Accordion } from '../../ui/Accordion.tsx';
import { faqItems } from './faq-copy.ts';
import { Section } from './Section.tsx';

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
      close
    >
      <Accordion items={faqItems(offer)} />
    </Section>
  );
}
