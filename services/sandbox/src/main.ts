import { join } from 'node:path';
import { z } from 'zod';
import { createSandbox } from './sandbox.ts';

const port = z.coerce.number().int().min(0).max(65_535);
const env = z
  .object({
    NODE_ENV: z.string().optional(),
    SANDBOX_PORT: port.default(8090),
    HOST: z.string().default('127.0.0.1'),
    PORT: port.default(8080),
    PUBLIC_URL: z.url().optional(),
    DATA_DIR: z.string().default('.data'),
    /** The URLs between browsers, sandbox and product when the last two run in containers. */
    SANDBOX_PUBLIC_URL: z.url().optional(),
    SANDBOX_WEBHOOK_URL: z.url().optional(),
    SANDBOX_REQUESTS_PER_MINUTE: z.coerce.number().int().min(0).optional(),
  })
  .safeParse(Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== '')));

if (!env.success) {
  for (const issue of env.error.issues) console.error(`${issue.path.join('.')}: ${issue.message}`);
  process.exit(1);
}
if (env.data.NODE_ENV === 'production') {
  console.error('The sandbox is for development only: NODE_ENV must not be production.');
  process.exit(1);
}

const settings = env.data;
const starting = createSandbox({
  port: settings.SANDBOX_PORT,
  smtpPort: settings.SANDBOX_PORT + 1,
  host: settings.HOST,
  apiUrl: settings.PUBLIC_URL ?? `http://127.0.0.1:${settings.PORT}`,
  publicUrl: settings.SANDBOX_PUBLIC_URL,
  webhookUrl: settings.SANDBOX_WEBHOOK_URL,
  requestsPerMinute: settings.SANDBOX_REQUESTS_PER_MINUTE,
  stateFile: join(settings.DATA_DIR, 'sandbox', 'state.json'),
}).catch((error: unknown) => {
  console.error(toStartFailureText(error));
  process.exit(1);
});

let isStopping = false;
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  const sandbox = await starting;
  await sandbox.close();
  process.exit(0);
}
process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());
// The parent process has ended, and the sandbox must not outlive it.
process.on('disconnect', () => void stop());

const { url } = await starting;
console.log(`sandbox: ${url}`);

function toStartFailureText(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `Port ${settings.SANDBOX_PORT} is taken. Set SANDBOX_PORT to a free one.`;
  }
  return `The sandbox could not start: ${error instanceof Error ? error.message : String(error)}`;
}
