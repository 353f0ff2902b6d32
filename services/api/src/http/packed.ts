import type { Request, Response } from 'express';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Packed = { text: string; br: Buffer; gzip: Buffer };

const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Compresses a text once, so that sending it costs nothing. */
export async function pack(text: string): Promise<Packed> {
  const [br, gzipped] = await Promise.all([toBrotli(text, QUALITY), toGzip(text)]);
  return { text, br, gzip: gzipped };
}

/** Sends the smallest encoding that the browser accepts. The caller sets the type. */
export function sendPacked(req: Request, res: Response, { text, br, gzip: gzipped }: Packed): void {
  res.vary('Accept-Encoding');
  if (req.acceptsEncodings('br')) res.set('Content-Encoding', 'br').send(br);
  else if (req.acceptsEncodings('gzip')) res.set('Content-Encoding', 'gzip').send(gzipped);
  else res.send(text);
}
