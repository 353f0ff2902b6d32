import { z } from 'zod';
import { parseParameters, text } from './parameters.ts';

export type Method = 'get' | 'post' | 'delete';
type PathParameters = Record<string, string>;

/** One call of the API: where it is, what it takes, what it does. */
export type Endpoint = {
  method: Method;
  path: string;
  /** Parses the parameters (throws a fault) and answers what is left to do with them. */
  prepare: (raw: Record<string, unknown>, path: PathParameters) => { expand: string[]; run: () => object };
};

const expand = z.array(text()).max(20).optional();

/** Unknown parameters are refused; `expand` is taken everywhere. */
export function endpoint<Shape extends z.ZodRawShape>(
  method: Method,
  path: string,
  shape: Shape,
  run: (params: z.output<z.ZodObject<Shape>>, path: PathParameters) => object,
): Endpoint {
  const schema = z.strictObject({ ...shape, expand });
  return {
    method,
    path,
    prepare(raw, pathParameters) {
      const { expand: paths = [], ...rest } = parseParameters(schema, raw) as { expand?: string[] };
      return { expand: paths, run: () => run(rest as z.output<z.ZodObject<Shape>>, pathParameters) };
    },
  };
}
