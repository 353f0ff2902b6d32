import type { CityResponse } from 'maxmind';
import { open } from 'maxmind';

export type Place = { country: string | null; region: string | null; city: string | null };

/** Locates an IP address as far as known. Never fails. */
export type Locate = (ipAddress: string | null) => Place;

const NOWHERE: Place = { country: null, region: null, city: null };

export const locateNowhere: Locate = () => NOWHERE;

export async function openLocator(path: string): Promise<Locate> {
  const reader = await open<CityResponse>(path);
  return (ipAddress) => {
    try {
      const found = ipAddress === null ? null : reader.get(ipAddress);
      return {
        country: found?.country?.iso_code ?? null,
        region: found?.subdivisions?.[0]?.names.en ?? null,
        city: found?.city?.names.en ?? null,
      };
    } catch {
      return NOWHERE;
    }
  };
}
