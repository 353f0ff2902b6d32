declare global {
  interface Window {
    dataLayer?: unknown[];
  }
}

/** Queues a command in `window.dataLayer` for Google's tag, which may load later. */
export function gtag(..._command: unknown[]): void {
  window.dataLayer ??= [];
  // oxlint-disable-next-line prefer-rest-params -- the tag only treats an arguments object as a command
  window.dataLayer.push(arguments);
}
