type ModuleInfo = {
  importedIds: readonly string[];
  dynamicallyImportedIds: readonly string[];
};
type Context = { getModuleInfo: (id: string) => ModuleInfo | null };

/**
 * The files that begin each first load. The console also loads the toasts, before the network can
 * fail.
 */
const STARTS = { site: ['src/main.tsx'], console: ['src/console-main.tsx', 'src/ui/Toaster.tsx'] };

/**
 * The files of the first loads, few because each costs a kilobyte of headers. They are: shared by
 * site and console, the rest of the site's, shared by the console and the site's later pages, and
 * the rest of the console's. Templates need the site's entry as a separate file.
 */
export function firstLoads(root: string) {
  const loads = new Map<string, Set<string>>();

  /** Returns the files that a start imports at once or, with `withLater`, at any time. */
  function importsOf(start: keyof typeof STARTS, context: Context, withLater = false): Set<string> {
    const key = `${start} ${withLater}`;
    let all = loads.get(key);
    if (!all) {
      all = new Set(STARTS[start].map((file) => `${root}/${file}`));
      // A set's loop also visits files that are added meanwhile.
      for (const id of all) {
        const { importedIds = [], dynamicallyImportedIds = [] } = context.getModuleInfo(id) ?? {};
        const next = withLater ? [...importedIds, ...dynamicallyImportedIds] : importedIds;
        for (const imported of next) all.add(imported);
      }
      loads.set(key, all);
    }
    return all;
  }

  const toGroup = (
    name: string,
    priority: number,
    has: (id: string, context: Context) => boolean,
  ) => ({
    name: (id: string, context: Context) => (has(id, context) ? name : null),
    debugName: name,
    priority,
  });
  const entry = `${root}/${STARTS.site[0]}`;
  const isSite = (id: string, context: Context) =>
    id !== entry && importsOf('site', context).has(id);
  const isConsole = (id: string, context: Context) => importsOf('console', context).has(id);
  const isLater = (id: string, context: Context) => importsOf('site', context, true).has(id);
  return [
    toGroup('shared', 4, (id, context) => isSite(id, context) && isConsole(id, context)),
    toGroup('site', 3, isSite),
    toGroup('forms', 2, (id, context) => isLater(id, context) && isConsole(id, context)),
    toGroup('console', 1, isConsole),
  ];
}
