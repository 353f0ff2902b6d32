// Imported before any schema, because zod reads it only once. Otherwise zod would try `eval`, which
// the page's policy refuses and reports.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
