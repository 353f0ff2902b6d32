declare module 'subset-font' {
  type Options = {
    targetFormat?: 'sfnt' | 'woff2' | 'truetype';
    variationAxes?: Record<string, number | { min: number; max: number }>;
  };
  function subsetFont(font: Buffer, text: string, options?: Options): Promise<Buffer>;
  export = subsetFont;
}
