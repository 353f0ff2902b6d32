import { OFFER } from '@site/schema/offer';
import { Router } from 'express';
import type { RequestHandler } from 'express';
import { createRequire } from 'node:module';
import type { ApiSettings } from '../settings.ts';
import { createOpenApiDocument } from './document.ts';

const require = createRequire(import.meta.url);

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

// A file of its own: the site's policy lets no script in a page run.
const START = `SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  validatorUrl: null,
});
`;

/** `/api/openapi.json`, and `/api/docs` to read it: all of it served from here. */
export function openApiRoutes({ settings }: { settings: Pick<ApiSettings, 'publicUrl'> }): Router {
  const document = createOpenApiDocument(settings.publicUrl);
  const router = Router();
  router.get('/openapi.json', (_req, res) => {
    res.json(document);
  });
  router.get('/docs', (_req, res) => {
    res.type('html').send(PAGE);
  });
  router.get('/docs/start.js', (_req, res) => {
    res.type('text/javascript').send(START);
  });
  router.get('/docs/swagger-ui-bundle.js', sendPackaged(require.resolve('swagger-ui-dist/swagger-ui-bundle.js')));
  router.get('/docs/swagger-ui.css', sendPackaged(require.resolve('swagger-ui-dist/swagger-ui.css')));
  return router;
}

function sendPackaged(path: string): RequestHandler {
  return (_req, res) => {
    // The path to the store of packages has folders that begin with a dot.
    res.sendFile(path, { dotfiles: 'allow', maxAge: '1h' });
  };
}
