import express from 'express';
import type { Express } from 'express';

type Layer = {
  route?: { path: string; methods: Record<string, boolean> };
  handle: { stack?: Layer[] };
};
type AnyRouter = { stack: Layer[] };
type Use = (this: AnyRouter, ...args: unknown[]) => unknown;

/**
 * Lists every route of an app, with its whole path. Express forgets the mounting path of a router,
 * so `build` runs under observation.
 */
export function listRoutes(build: () => Express): { method: string; path: string }[] {
  const mountPaths = new WeakMap<Layer, string>();
  const prototype = express.Router.prototype as { use: Use };
  const original = prototype.use;
  prototype.use = function use(...args) {
    const before = this.stack.length;
    const result = original.apply(this, args);
    const path = typeof args[0] === 'string' && args[0] !== '/' ? args[0] : '';
    for (const layer of this.stack.slice(before)) mountPaths.set(layer, path);
    return result;
  };
  try {
    return walk(build().router as unknown as AnyRouter, '');
  } finally {
    prototype.use = original;
  }

  function walk({ stack }: AnyRouter, prefix: string): { method: string; path: string }[] {
    return stack.flatMap((layer) => {
      const { route, handle } = layer;
      if (route) {
        const path = prefix + (route.path === '/' && prefix !== '' ? '' : route.path);
        return Object.keys(route.methods).map((method) => ({ method, path }));
      }
      return handle.stack
        ? walk({ stack: handle.stack }, prefix + (mountPaths.get(layer) ?? ''))
        : [];
    });
  }
}
