import { fetchEarly } from '../early-fetch.ts';
import { toUrl } from '../http.ts';
import { readKnownOperator } from './session/known-operator.ts';

const isLoggedIn = fetchEarly(toUrl('GET /api/admin/me'));
// Nobody who is logged out asks for leads, and who was logged in does so without waiting.
const mayAsk = readKnownOperator() ? Promise.resolve(true) : isLoggedIn;
if (window.location.search === '') void mayAsk.then((may) => may && fetchEarly(toUrl('GET /api/admin/leads')));
