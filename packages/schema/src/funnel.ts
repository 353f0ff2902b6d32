import { toButtonName } from './labels.ts';
import { FUNNEL_OTHERS } from './money.ts';

/** The steps from a visitor to a payer, and the two ways in which a trial ends without payment. */
export const FUNNEL_STEPS = ['people', 'checkout', 'trial', 'paying', 'in-trial', 'left'] as const;
export type FunnelStep = (typeof FUNNEL_STEPS)[number];
const FUNNEL_PARTS = ['channel', 'button', 'campaign'] as const;
export type FunnelPart = (typeof FUNNEL_PARTS)[number];
export const FUNNEL = new RegExp(
  `^(${FUNNEL_STEPS.join('|')})(?::(${FUNNEL_PARTS.join('|')})=(.*))?$`,
  'su',
);

/** Writes the filter for a number in the funnel: the whole, or a part of it. */
export const toFunnelFilter = (step: FunnelStep, part?: FunnelPart, name = '') =>
  part === undefined ? step : `${step}:${part}=${name}`;

export function readFunnelFilter(text: string) {
  const [, step = 'people', part, name = ''] = FUNNEL.exec(text) ?? [];
  return { step: step as FunnelStep, part: part as FunnelPart | undefined, name };
}

/** Names a channel, a button or a campaign of the funnel. */
export function toPartName(part: FunnelPart, name: string): string {
  if (name === FUNNEL_OTHERS) return 'Other';
  if (part === 'button') return toButtonName(name);
  return name === '' ? 'No campaign' : name;
}

const FUNNEL_LABELS: Record<FunnelStep, string> = {
  people: 'each person once',
  checkout: 'people who opened a checkout',
  trial: 'people who began a trial',
  paying: 'people who pay',
  'in-trial': 'people who have not paid yet',
  left: 'people who left after a trial began',
};

/** Returns `people who pay, from LinkedIn`. */
export function toFunnelText(filter: string): string {
  const { step, part, name } = readFunnelFilter(filter);
  if (part === undefined) return FUNNEL_LABELS[step];
  const from =
    name === FUNNEL_OTHERS
      ? `any other ${part}`
      : part === 'channel'
        ? name
        : `“${toPartName(part, name)}”`;
  return `${FUNNEL_LABELS[step]}, from ${from}`;
}
