import { z } from 'zod';
import { pageParameters, toPage } from './list.ts';
import { parseParameters, text } from './parameters.ts';

export type Method = 'get' | 'post' | 'delete';

/** One call of the API: its address, its parameters and its effect. */
export type Endpoint = {
  method: Method;
  path: string;
  /** Parses the parameters, or throws a fault. Returns what is left to do with them. */
  prepare: (raw: Record<string, unknown>, id: string) => { expand: string[]; run: () => object };
};

const expand = z.array(text()).max(20).optional();

/** Declares a call. Unknown parameters are refused; `expand` is accepted everywhere. `id` is the one in the path. */
export function endpoint<Shape extends z.ZodRawShape>(
  method: Method,
  path: string,
  shape: Shape,
  run: (params: z.output<z.ZodObject<Shape>>, id: string) => object,
): Endpoint {
  const schema = z.strictObject({ ...shape, expand });
  return {
    method,
    path,
    prepare(raw, id) {
      const { expand: paths = [], ...rest } = parseParameters(schema, raw) as { expand?: string[] };
      return { expand: paths, run: () => run(rest as z.output<z.ZodObject<Shape>>, id) };
    },
  };
}

/** Declares the call that reads one object of a collection. */
export function retrieve(path: string, collection: { get(id: string): object }): Endpoint {
  return endpoint('get', `${path}/:id`, {}, (_params, id) => collection.get(id));
}

/** Declares the call that lists a whole collection. */
export function list(path: string, collection: { newestFirst(): { id: string }[] }): Endpoint {
  return endpoint('get', path, pageParameters, (page) =>
    toPage(`/v1${path}`, collection.newestFirst(), page),
  );
}
