/** An answer that is compared with the other target's answer to the step of that name. */
export type Step = { name: string; status: number; body: unknown };

/** Objects whose keys are data. */
const OPAQUE = new Set(['metadata']);
const LONGEST_LIST = 5;

/**
 * Compares the status and the shape of each step's answer with the sandbox's. Lists the
 * differences.
 */
export function compareSteps(sandbox: readonly Step[], real: readonly Step[]): string[] {
  return sandbox.flatMap((step) => {
    const theirs = real.find(({ name }) => name === step.name);
    if (!theirs) return [`${step.name}: not reached`];
    if (theirs.status !== step.status)
      return [`${step.name}: status ${theirs.status}, the sandbox ${step.status}`];
    // Fields that only the real service has are no difference: the product does not read them.
    return compareShapes(shapeOf(step.body), shapeOf(theirs.body)).map(
      (difference) => `${step.name}: ${difference}`,
    );
  });
}

function compareShapes(ours: Shape, theirs: Shape): string[] {
  const missing: string[] = [];
  const changed: string[] = [];
  for (const [path, types] of ours) {
    const found = theirs.get(path);
    if (!found) {
      // Only if the object around it is present, because an empty list shows nothing of its items.
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

/**
 * Lists every path of a value with the types that it has there. The items of a list share a path.
 */
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
