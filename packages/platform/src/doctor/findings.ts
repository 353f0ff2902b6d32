/** What a check has found: fine, worth a look, or to be put right before anything else. */
export type Level = 'ok' | 'warning' | 'error';

export type Finding = {
  /** What was looked at, in a word or two. */
  check: string;
  level: Level;
  message: string;
  /** What to do about it, in one line. Null when there is nothing to do. */
  remedy: string | null;
};

export type Check = () => Promise<Finding[]>;

export function ok(check: string, message: string): Finding {
  return { check, level: 'ok', message, remedy: null };
}

export function warning(check: string, message: string, remedy: string): Finding {
  return { check, level: 'warning', message, remedy };
}

export function error(check: string, message: string, remedy: string): Finding {
  return { check, level: 'error', message, remedy };
}

/** One finding for each sentence about a wrong setting. */
export function settingFindings(check: string, sentences: string): Finding[] {
  return sentences
    .split('\n')
    .map((sentence) =>
      error(check, sentence, 'Set it in .env or the environment; .env.example describes every setting.'),
    );
}

/** Runs the checks one after the other, so that they read in order. A check that breaks is a finding, and ends none of the others. */
export async function runChecks(checks: Record<string, Check>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, check] of Object.entries(checks)) {
    try {
      findings.push(...(await check()));
    } catch (fault) {
      const what = fault instanceof Error ? fault.message : String(fault);
      findings.push(
        error(name, `could not be checked: ${what}`, 'See the message; run this again when it is put right.'),
      );
    }
  }
  return findings;
}

const SIGNS: Record<Level, string> = { ok: '✓', warning: '!', error: '✗' };

/** The findings as text, two lines for what needs a person; or as JSON, one object a line. */
export function formatFindings(findings: Finding[], asJson: boolean): string {
  if (asJson) return findings.map((finding) => JSON.stringify(finding)).join('\n');
  return findings
    .map(({ check, level, message, remedy }) => {
      const line = `${SIGNS[level]} ${level.padEnd(7)}  ${check}: ${message}`;
      return remedy === null ? line : `${line}\n             → ${remedy}`;
    })
    .join('\n');
}

/** 1 when there is an error, 0 otherwise: a warning stops no script. */
export function toExitCode(findings: Finding[]): 0 | 1 {
  return findings.some(({ level }) => level === 'error') ? 1 : 0;
}
