export type Terminal = {
  say: (line: string) => void;
  /** Runs a step of the start and prints how long it took. */
  step<T>(title: string, work: () => Promise<T>): Promise<T>;
};

/**
 * Prints progress. On a terminal one line shows the steps that run; elsewhere each is printed when
 * done.
 */
export function createTerminal(out: NodeJS.WriteStream): Terminal {
  const running = new Map<string, number>();
  const write = (text: string) => out.write(out.isTTY ? `\r\u001B[K${text}` : text);
  const redraw = () => {
    if (!out.isTTY || running.size === 0) return;
    write(`  … ${[...running].map(([title, since]) => `${title} ${toSeconds(since)}`).join(', ')}`);
  };
  const say = (line: string) => {
    write(`${line}\n`);
    redraw();
  };
  return {
    say,
    step: async (title, work) => {
      const since = performance.now();
      running.set(title, since);
      redraw();
      const timer = setInterval(redraw, 200);
      let mark = '✗';
      try {
        const result = await work();
        mark = '✓';
        return result;
      } finally {
        clearInterval(timer);
        running.delete(title);
        say(`  ${mark} ${title} ${toSeconds(since)}`);
      }
    },
  };
}

function toSeconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
