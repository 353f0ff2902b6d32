export type Terminal = {
  say: (line: string) => void;
  /** Runs a step of the start and prints how long it took. */
  step<T>(title: string, work: () => Promise<T>): Promise<T>;
};

/** Prints progress. On a terminal a running step updates one line; elsewhere it prints when done. */
export function createTerminal(out: NodeJS.WriteStream): Terminal {
  let current: { title: string; since: number } | undefined;
  const redraw = () => {
    if (current !== undefined && out.isTTY) out.write(`\r\u001B[K  … ${current.title} ${toSeconds(current.since)}`);
  };
  const say = (line: string) => {
    if (current !== undefined && out.isTTY) out.write('\r\u001B[K');
    out.write(`${line}\n`);
    redraw();
  };
  return {
    say,
    step: async (title, work) => {
      current = { title, since: performance.now() };
      redraw();
      const timer = setInterval(redraw, 200);
      const { since } = current;
      let mark = '✗';
      try {
        const result = await work();
        mark = '✓';
        return result;
      } finally {
        clearInterval(timer);
        current = undefined;
        if (out.isTTY) out.write('\r\u001B[K');
        out.write(`  ${mark} ${title} ${toSeconds(since)}\n`);
      }
    },
  };
}

function toSeconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
