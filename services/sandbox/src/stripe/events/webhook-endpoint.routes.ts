import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint } from '../wire/endpoint.ts';
import { pageParameters, toPage } from '../wire/list.ts';
import type { EventDeps } from './event.store.ts';
import { API_VERSION } from './event.store.ts';

/** Lists the single webhook endpoint of the account. */
export function webhookEndpointEndpoints({ webhookUrl }: EventDeps): Endpoint[] {
  return [
    endpoint('get', '/webhook_endpoints', pageParameters, (params) => {
      const url = webhookUrl();
      const endpoints = url === null ? [] : [buildWebhookEndpoint(url)];
      return toPage('/v1/webhook_endpoints', endpoints, params);
    }),
  ];
}

function buildWebhookEndpoint(url: string) {
  return {
    id: 'we_sandbox',
    object: 'webhook_endpoint',
    api_version: API_VERSION,
    application: null,
    created: 1_700_000_000,
    description: null,
    enabled_events: ['*'],
    livemode: false,
    metadata: {},
    status: 'enabled',
    url,
  };
}
