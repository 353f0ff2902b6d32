import { fetchEarly } from '../early-fetch.ts';
import { toUrl } from '../http.ts';

// Nobody who is logged out asks for leads.
const isList = window.location.search === '';
void fetchEarly(toUrl('GET /api/admin/me')).then(
  (isLoggedIn) => isLoggedIn && isList && fetchEarly(toUrl('GET /api/admin/leads')),
);
