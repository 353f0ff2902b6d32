import type { CaseResult } from './case.ts';

/** What differs between the sandbox and a real service in one case. */
export type Comparison = {
  /** Each makes the case differ. */
  differences: string[];
  /** Fields that only the real service has. The product does not read them, so they are no difference. */
  more: string[];
};

/** Objects whose keys are data. */
const OPAQUE = new Set(['metadata']);
const LONGEST_LIST = 5;

/** Compares the status and the shape of each step's answer. `sandbox` is the reference. */
export function compareCase(sandbox: CaseResult, real: CaseResult): Comparison {
  const differences = real.faults.map((fault) => fault);
  const more: string[] = [];
  for (const step of sandbox.steps) {
    const theirs = real.steps.find(({ name }) => name === step.name);
    if (!theirs) {
      differences.push(`${step.name}: not reached`);
      continue;
    }
    if (theirs.status !== step.status) {
      differences.push(`${step.name}: status ${theirs.status}, the sandbox ${step.status}`);
      continue;
    }
    const ourShape = shapeOf(step.body);
    const theirShape = shapeOf(theirs.body);
    differences.push(...compareShapes(ourShape, theirShape).map((difference) => `${step.name}: ${difference}`));
    const extra = [...theirShape.keys()].filter((path) => !ourShape.has(path) && ourShape.has(parentOf(path)));
    if (extra.length > 0) more.push(`${step.name}: ${shorten(extra)}`);
  }
  return { differences, more };
}

function compareShapes(ours: Shape, theirs: Shape): string[] {
  const missing: string[] = [];
  const changed: string[] = [];
  for (const [path, types] of ours) {
    const found = theirs.get(path);
    if (!found) {
      // Only where the object around it is there: an empty list says nothing of its items.
      if (theirs.get(parentOf(path))?.has('object') === true) missing.push(path);
      continue;
    }
    // A value may be absent on either side.
    const known = [...types].filter((type) => type !== 'null');
    const others = [...found].filter((type) => type !== 'null');
    if (known.length > 0 && others.length > 0 && !others.some((type) => types.has(type))) {
      changed.push(`${path} is ${others.join(' or ')}, in the sandbox ${known.join(' or ')}`);
    }
  }
  return [...(missing.length > 0 ? [`without ${shorten(missing)}`] : []), ...changed];
}

type Shape = Map<string, Set<string>>;

/** Lists every path of a value with the types that it has there. The items of a list share a path. */
function shapeOf(value: unknown, path = 'body', shape: Shape = new Map()): Shape {
  const type = value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
  shape.set(path, (shape.get(path) ?? new Set()).add(type));
  if (Array.isArray(value)) for (const item of value) shapeOf(item, `${path}[]`, shape);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      const isOpaque = OPAQUE.has(key) && typeof part === 'object' && part !== null;
      shapeOf(isOpaque ? {} : part, `${path}.${key}`, shape);
    }
  }
  return shape;
}

function parentOf(path: string): string {
  return path.endsWith('[]') ? path.slice(0, -2) : path.slice(0, path.lastIndexOf('.'));
}

function shorten(paths: string[]): string {
  const shown = paths.slice(0, LONGEST_LIST).join(', ');
  return paths.length > LONGEST_LIST ? `${shown} and ${paths.length - LONGEST_LIST} more` : shown;
}
