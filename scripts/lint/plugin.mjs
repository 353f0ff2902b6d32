// Our own lint rules, as an oxlint plugin.
import { relative, sep } from 'node:path';

import { ROOT } from '../settings.mjs';
import { LAYERS, WORKSPACES } from './directions.mjs';
import { findFault } from './find-fault.mjs';

const DIRECTIONS = { workspaces: WORKSPACES, layers: LAYERS };

const directions = {
  create(context) {
    const file = relative(ROOT, context.filename).replaceAll(sep, '/');
    const check = (node) => {
      if (typeof node.source?.value !== 'string') return;
      const fault = findFault(file, node.source.value, DIRECTIONS);
      if (fault !== undefined)
        context.report({ node, message: `${fault}: see scripts/lint/directions.mjs.` });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    };
  },
};

export default { meta: { name: 'site' }, rules: { directions } };
