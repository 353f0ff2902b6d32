import { OFFER } from '@site/schema/offer';
import type { Request, Response } from 'express';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pack, sendPacked } from '../http/packed.ts';
import type { Packed } from '../http/packed.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { createOpenApiDocument } from './document.ts';

const require = createRequire(import.meta.url);
const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));

const PAGE = `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${OFFER.productName} API</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
</head>
<body>
<div id="api"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>
`;

// A separate file, because the site's policy allows no inline script.
const START = `SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  validatorUrl: null,
});
`;

/**
 * Serves `/api/openapi.json`, and `/api/docs` to read it. Every file comes from this server, and is
 * made and compressed once. In production they are for operators only.
 */
export function openApiRoutes(publicUrl: string): Route[] {
  const kept = new Map<string, Promise<Packed>>();
  async function send(
    req: Request,
    res: Response,
    type: string,
    read: () => string | Promise<string>,
  ): Promise<void> {
    const packed = kept.get(req.path) ?? Promise.resolve(read()).then(pack);
    kept.set(req.path, packed);
    res.set('Cache-Control', 'private, max-age=3600').type(type);
    sendPacked(req, res, await packed);
  }
  const packaged = (name: string) => () => readFile(join(SWAGGER_UI, name), 'utf8');
  return [
    route('GET /api/openapi.json', ({ req, res }) =>
      send(req, res, 'json', () => JSON.stringify(createOpenApiDocument(publicUrl))),
    ),
    route('GET /api/docs', ({ req, res }) => send(req, res, 'html', () => PAGE)),
    route('GET /api/docs/start.js', ({ req, res }) =>
      send(req, res, 'text/javascript', () => START),
    ),
    route('GET /api/docs/swagger-ui-bundle.js', ({ req, res }) =>
      send(req, res, 'text/javascript', packaged('swagger-ui-bundle.js')),
    ),
    route('GET /api/docs/swagger-ui.css', ({ req, res }) =>
      send(req, res, 'css', packaged('swagger-ui.css')),
    ),
  ];
}
