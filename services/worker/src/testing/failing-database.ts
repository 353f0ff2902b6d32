import type { Database } from '@site/platform/database/connect';

class DatabaseFailure extends Error {
  override name = 'DatabaseFailure';
}

/**
 * Creates a database that fails at a chosen statement, like a process that ends between two writes.
 * The next statement works again.
 */
export function createFailingDatabase(db: Database): {
  db: Database;
  /** Fails once, after this number of statements. Null: never. */
  failAfter(statements: number | null): void;
  isFailure(error: unknown): boolean;
} {
  let left: number | null = null;
  const count = () => {
    if (left === null) return;
    if (left === 0) {
      left = null;
      throw new DatabaseFailure();
    }
    left -= 1;
  };
  return {
    db: new Proxy(db, {
      apply(target, self, args) {
        count();
        return Reflect.apply(target, self, args);
      },
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function' || (name !== 'raw' && name !== 'transaction')) return value;
        return (...args: unknown[]) => {
          // A part of a statement (`db.raw('attempts + 1')`) is not sent separately.
          if (
            name === 'transaction' ||
            /^\s*(?:select|insert|update|delete|with)\b/i.test(String(args[0]))
          )
            count();
          return Reflect.apply(value, target, args);
        };
      },
    }),
    failAfter(statements) {
      left = statements;
    },
    isFailure: (error) => error instanceof DatabaseFailure,
  };
}
