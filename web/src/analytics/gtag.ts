declare global {
  interface Window {
    dataLayer?: unknown[];
  }
}

/** Hands a command to Google's tag, or to whatever else reads `window.dataLayer`; before that has loaded, it waits there. */
export function gtag(..._command: unknown[]): void {
  window.dataLayer ??= [];
  // oxlint-disable-next-line prefer-rest-params -- the tag tells commands from other entries by their being an arguments object
  window.dataLayer.push(arguments);
}
