import { siteSettings } from '../site-settings.ts';
import { readStored, writeStored } from '../stored-text.ts';

const KEY = 'consent';
const CHOICES = ['accepted', 'declined'] as const;
export type ConsentChoice = (typeof CHOICES)[number];

/** For a browser that refuses to store anything: the choice lasts as long as the page. */
let unstored: ConsentChoice | null = null;
let isAskedAgain = false;
const listeners = new Set<() => void>();

/** True where something is configured that may only run once the visitor agrees. Elsewhere nobody is asked. */
export function isConsentNeeded(): boolean {
  const { analyticsId, chatWidgetUrl } = siteSettings();
  return analyticsId !== null || chatWidgetUrl !== null;
}

/** What this visitor chose, or null before they chose. */
function readConsent(): ConsentChoice | null {
  const stored = readStored('localStorage', KEY);
  return CHOICES.find((choice) => choice === stored) ?? unstored;
}

/** Whether this visitor agreed to what is configured. False where nothing is, since then nobody was asked. */
export function hasConsent(): boolean {
  return isConsentNeeded() && readConsent() === 'accepted';
}

/** Whether the question is to be shown: it has no answer yet, or the visitor wants to change it. */
export function isConsentAsked(): boolean {
  return isConsentNeeded() && (isAskedAgain || readConsent() === null);
}

/** Whether it is shown because the visitor asked for it. */
export function isConsentAskedForAgain(): boolean {
  return isAskedAgain;
}

/** Shows the question again. What was chosen holds until something else is. */
export function askConsentAgain(): void {
  isAskedAgain = true;
  tell();
}

/** Keeps the choice (a choice may be kept without asking for leave) and tells who listens. */
export function chooseConsent(choice: ConsentChoice): void {
  isAskedAgain = false;
  unstored = writeStored('localStorage', KEY, choice) ? null : choice;
  tell();
}

/** Calls back after every change until the returned function is called. */
export function onConsentChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
