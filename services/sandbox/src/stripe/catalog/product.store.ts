import type { Clock } from '../../clock.ts';
import { epochSeconds } from '../../clock.ts';
import { newId } from '../wire/ids.ts';

export type Product = ReturnType<typeof buildProduct>;

type ProductInput = {
  id?: string | undefined;
  name: string;
  active?: boolean | undefined;
  description?: string | null | undefined;
  images?: string[] | null | undefined;
  metadata: Record<string, string>;
  statement_descriptor?: string | undefined;
  tax_code?: string | null | undefined;
  unit_label?: string | null | undefined;
  url?: string | null | undefined;
};

export function buildProduct(clock: Clock, input: ProductInput) {
  const now = epochSeconds(clock);
  return {
    id: input.id ?? newId('prod', 14),
    object: 'product' as const,
    active: input.active ?? true,
    created: now,
    default_price: null as string | null,
    description: input.description ?? null,
    images: input.images ?? [],
    livemode: false,
    marketing_features: [],
    metadata: input.metadata,
    name: input.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: input.statement_descriptor ?? null,
    tax_code: input.tax_code ?? null,
    tax_details: null,
    type: 'service' as const,
    unit_label: input.unit_label ?? null,
    updated: now,
    url: input.url ?? null,
  };
}
