import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { BEEHIIV_ANSWERS, BEEHIIV_REFUSAL } from './beehiiv-openapi.ts';

/** An answer of Beehiiv. The path begins after the publication's id. */
export type BeehiivAnswer = { method: string; path: string; status: number; body: unknown };

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
const compiled = new Map<object, ValidateFunction>();

/** Lists an answer's differences from Beehiiv's published schemas. */
export function checkBeehiivAnswer({ method, path, status, body }: BeehiivAnswer): string[] {
  const bare = path.split('?', 1)[0] ?? '';
  const answer = BEEHIIV_ANSWERS.find((each) => each.method.test(method) && each.path.test(bare));
  const schema = status >= 400 ? BEEHIIV_REFUSAL : answer?.schema;
  if (schema === undefined) return [`${method} ${bare} has no schema`];
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  if (validate(body)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath || 'the answer'} ${message}`,
  );
}
