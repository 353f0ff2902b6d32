/** How large the browser's text is: 1 for 16 px. Drawings are made for that, and grow with the text. */
export const textScale = () =>
  (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16) / 16;
