import { OFFER } from '@site/schema/offer';
import type { Response } from 'express';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
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
export function openApiRoutes(readDocument: () => OpenApiDocument): Route[] {
  return [
    route({
      call: 'GET /api/openapi.json',
      id: 'readDocument',
      summary: 'This document',
      isPublic: true,
      answers: { 200: { description: 'OpenAPI 3.1', schema: z.looseObject({}) } },
      handle({ res }) {
        res.json(readDocument());
      },
    }),
    fileRoute('', 'readDocs', 'This document to read and try', 'text/html', (res) => res.type('html').send(PAGE)),
    fileRoute('/start.js', 'readDocsStart', 'The page’s own script', 'text/javascript', (res) =>
      res.type('text/javascript').send(START),
    ),
    fileRoute('/swagger-ui-bundle.js', 'readDocsScript', 'Swagger UI', 'text/javascript', sendPackaged),
    fileRoute('/swagger-ui.css', 'readDocsStyles', 'Swagger UI’s styles', 'text/css', sendPackaged),
  ];
}

/** What the sending of a file from disk may refuse. */
const FILE_PROBLEMS = ['precondition-failed', 'range-not-satisfiable'] as const;

type Send = (res: Response, name: string) => unknown;

function fileRoute(name: string, id: string, summary: string, contentType: string, send: Send): Route {
  return route({
    call: `GET /api/docs${name}`,
    id,
    summary,
    isPublic: true,
    answers: { 200: { description: 'The file', contentType } },
    ...(send === sendPackaged && { problems: FILE_PROBLEMS }),
    handle({ res }) {
      void send(res, name);
    },
  });
}

function sendPackaged(res: Response, name: string): void {
  // Folders of the package store begin with a dot.
  res.sendFile(join(SWAGGER_UI, name), { dotfiles: 'allow', maxAge: '1h' });
}
