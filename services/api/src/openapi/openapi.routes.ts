import { OFFER } from '@site/schema/offer';
import type { Response } from 'express';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { createOpenApiDocument } from './document.ts';
import type { OpenApiDocument } from './document.ts';

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

/** `/api/openapi.json`, and `/api/docs` to read it. Every file comes from this server. */
export function openApiRoutes(publicUrl: string): Route[] {
  let document: OpenApiDocument | undefined;
  return [
    route('GET /api/openapi.json', () => (document ??= createOpenApiDocument(publicUrl))),
    route('GET /api/docs', ({ res }) => void res.type('html').send(PAGE)),
    route('GET /api/docs/start.js', ({ res }) => void res.type('text/javascript').send(START)),
    route('GET /api/docs/swagger-ui-bundle.js', ({ res }) => sendPackaged(res, 'swagger-ui-bundle.js')),
    route('GET /api/docs/swagger-ui.css', ({ res }) => sendPackaged(res, 'swagger-ui.css')),
  ];
}

function sendPackaged(res: Response, name: string): void {
  // Folders of the package store begin with a dot.
  res.sendFile(join(SWAGGER_UI, name), { dotfiles: 'allow', maxAge: '1h' });
}
