import { siteSettings } from '../site-settings.ts';
import { readStored, writeStored } from '../stored-text.ts';

const KEY = 'consent';
const OPERATOR_KEY = 'operatorBrowser';
const CHOICES = ['accepted', 'declined'] as const;
export type ConsentChoice = (typeof CHOICES)[number];

/** The choice if the browser refuses storage. It lasts as long as the page. */
let unstored: ConsentChoice | null = null;
let isAskedAgain = false;
const listeners = new Set<() => void>();

export function isConsentConfigured(): boolean {
  const { analyticsId, chatWidgetUrl } = siteSettings();
  return analyticsId !== null || chatWidgetUrl !== null;
}

/**
 * Returns true if this visitor's consent is needed. An operator's browser shows no notice and loads
 * nothing.
 */
export function isConsentNeeded(): boolean {
  return isConsentConfigured() && readStored('localStorage', OPERATOR_KEY) === null;
}

/**
 * Marks this browser as an operator's, for good. A third-party script on our pages could read the
 * console's data with the operator's session, so none loads here again. Other tabs that have loaded
 * a script reload without it.
 */
export function markOperatorBrowser(): void {
  writeStored('localStorage', OPERATOR_KEY, 'yes');
}

function readConsent(): ConsentChoice | null {
  const stored = readStored('localStorage', KEY);
  return CHOICES.find((choice) => choice === stored) ?? unstored;
}

/** Returns true if the visitor has given the needed consent. */
export function hasConsent(): boolean {
  return isConsentNeeded() && readConsent() === 'accepted';
}

/** Returns true if the notice should appear: no choice yet, or the visitor wants to change it. */
export function isConsentAsked(): boolean {
  return isConsentNeeded() && (isAskedAgain || readConsent() === null);
}

/** Returns the choice that the visitor wants to change, or null. */
export function consentToChange(): ConsentChoice | null {
  return isAskedAgain ? readConsent() : null;
}

/** Shows the notice again. The earlier choice applies until the visitor makes a new one. */
export function askConsentAgain(): void {
  isAskedAgain = true;
  notify();
}

/** Saves the choice and notifies the listeners. Storing the choice itself needs no consent. */
export function chooseConsent(choice: ConsentChoice): void {
  isAskedAgain = false;
  unstored = writeStored('localStorage', KEY, choice) ? null : choice;
  notify();
}

/** Calls the listener after every change. Returns a function that stops the calls. */
export function onConsentChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function notify(): void {
  for (const listener of listeners) listener();
}
