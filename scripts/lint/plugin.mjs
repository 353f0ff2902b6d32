// Our own lint rules, as an oxlint plugin.
import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

import { ROOT } from '../settings.mjs';
import { findLoneWords, findLongLines, LONE_WORD, TOO_LONG } from './columns.mjs';
import { LAYERS, WORKSPACES } from './directions.mjs';
import { findFailure } from './find-failure.mjs';
import { findStripeWrite } from './stripe-writes.mjs';
import { findTestFailure, findTitleFailure } from './test-files.mjs';

const DIRECTIONS = { workspaces: WORKSPACES, layers: LAYERS };

const toPath = ({ filename }) => relative(ROOT, filename).replaceAll(sep, '/');

const directions = {
  create(context) {
    const file = toPath(context);
    const check = (node) => {
      if (typeof node.source?.value !== 'string') return;
      const failure = findFailure(file, node.source.value, DIRECTIONS);
      if (failure !== undefined)
        context.report({ node, message: `${failure}: see scripts/lint/directions.mjs.` });
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

/**
 * Calls that a browser allows only during a press. In Safari a press ends at the first `await`.
 */
const PRESSES = /^(window\.open|navigator\.clipboard\.write(Text)?|copyText)$/;
const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

const duringPress = {
  create(context) {
    /** True for each enclosing function that has awaited, or that runs once something has ended. */
    const isLate = [];
    const enter = ({ parent }) => {
      const isThen = parent.type === 'CallExpression' && parent.callee.property?.name === 'then';
      const isOnDone = parent.type === 'Property' && parent.key.name === 'onDone';
      isLate.push(isThen || isOnDone);
    };
    const leave = () => isLate.pop();
    return {
      ...Object.fromEntries(
        FUNCTIONS.flatMap((type) => [
          [type, enter],
          [`${type}:exit`, leave],
        ]),
      ),
      'AwaitExpression:exit': () => {
        isLate[isLate.length - 1] = true;
      },
      CallExpression(node) {
        const name = context.sourceCode.getText(node.callee);
        if (isLate.at(-1) && PRESSES.test(name))
          context.report({
            node,
            message: `Safari refuses ${name} after an await: call it before.`,
          });
      },
    };
  },
};

const SQL = /^\s*(with|select|insert into|update|delete from) /i;

/**
 * Enforces true suffixes: `.service` and `.routes` hold no SQL, and `.repository` refuses no
 * request.
 */
const suffixes = {
  create(context) {
    const [, suffix] = /\.(service|routes|repository)\.ts$/.exec(context.filename) ?? [];
    if (suffix === undefined) return {};
    const report = (node, message) => context.report({ node, message });
    if (suffix === 'repository')
      return {
        CallExpression: (node) => {
          if (node.callee.name === 'problem')
            report(node, 'A repository returns what it found: its caller refuses the request.');
        },
      };
    const message = `SQL belongs into a .repository file, not into a .${suffix} file.`;
    return {
      CallExpression: (node) => {
        const isTable = ['db', 'trx'].includes(node.callee.name ?? node.callee.property?.name);
        if (isTable && node.arguments[0]?.type === 'Literal') report(node, message);
        if (node.callee.property?.name === 'raw') report(node, message);
      },
      TemplateLiteral: (node) => {
        if (SQL.test(node.quasis[0]?.value.raw ?? '')) report(node, message);
      },
    };
  },
};

const testBeside = {
  create: (context) => ({
    Program(node) {
      const failure = findTestFailure(toPath(context), undefined, (path) =>
        existsSync(join(ROOT, path)),
      );
      if (failure !== undefined)
        context.report({ node, message: `${failure}: see scripts/lint/test-files.mjs.` });
    },
  }),
};

const TITLED = /^(?:test|it|describe)(?:\.(?:only|skip|todo|fails|concurrent|sequential))?$/;
const TITLED_MANY = /^(?:test|it|describe)\.(?:for|each|skipIf|runIf)$/;

const testTitle = {
  create: (context) => ({
    CallExpression({ callee, arguments: [title] }) {
      const isMany = callee.type === 'CallExpression';
      const name = context.sourceCode.getText(isMany ? callee.callee : callee);
      const words = title === undefined ? undefined : readTitle(title);
      if (words === undefined || !(isMany ? TITLED_MANY : TITLED).test(name)) return;
      const failure = findTitleFailure(words);
      if (failure !== undefined) context.report({ node: title, message: `${failure}.` });
    },
  }),
};

/**
 * Returns the words of a title, with an ellipsis for each value, or undefined if they are not
 * written there.
 */
function readTitle(node) {
  if (node.type === 'TemplateLiteral')
    return node.quasis.map(({ value }) => value.cooked).join('…');
  return typeof node.value === 'string' ? node.value : undefined;
}

const stripeWrites = {
  create: (context) => ({
    CallExpression(node) {
      if (node.callee.type !== 'MemberExpression') return;
      const callee = context.sourceCode.getText(node.callee);
      const failure = findStripeWrite(toPath(context), callee);
      if (failure !== undefined) context.report({ node, message: `${failure}.` });
    },
  }),
};

const columns = {
  create(context) {
    return {
      Program() {
        const { lines } = context.sourceCode;
        for (const line of findLongLines(lines))
          context.report({ loc: { line, column: 0 }, message: TOO_LONG });
        for (const line of findLoneWords(lines))
          context.report({ loc: { line, column: 0 }, message: LONE_WORD });
      },
    };
  },
};

export default {
  meta: { name: 'site' },
  rules: {
    directions,
    'during-press': duringPress,
    suffixes,
    'stripe-writes': stripeWrites,
    'test-beside': testBeside,
    'test-title': testTitle,
    columns,
  },
};
