import type { KnownCall } from '@site/schema/calls/calls';
import { fetchEarly } from '../early-fetch.ts';
import { readKnownOperator } from './session/known-operator.ts';

// The console's page runs this before the site's code is there, so it takes nothing from that.
const ask = async (call: KnownCall) => fetchEarly(call.replace('GET ', ''));

const isLoggedIn = ask('GET /api/admin/me');
// Nobody who is logged out asks for leads, and who was logged in does so without waiting.
const mayAsk = readKnownOperator() ? Promise.resolve(true) : isLoggedIn;
if (window.location.search === '') void mayAsk.then((may) => may && ask('GET /api/admin/leads'));
