import { Client, escapeIdentifier } from 'pg';

/**
 * Creates a database, copied from `template` if given, and returns its URL. `open` is a connection
 * to do it with.
 */
export async function createTestDatabase(
  adminUrl: string,
  name: string,
  template?: string,
  open?: Client,
): Promise<string> {
  // Copying files takes a tenth of the time of the default, which writes every page to the log.
  const source =
    template === undefined ? '' : `TEMPLATE ${escapeIdentifier(template)} STRATEGY FILE_COPY`;
  await runAsAdmin(adminUrl, `CREATE DATABASE ${escapeIdentifier(name)} ${source}`, open);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Drops a database and ends its connections. */
export async function dropTestDatabase(
  adminUrl: string,
  name: string,
  open?: Client,
): Promise<void> {
  await runAsAdmin(
    adminUrl,
    `DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`,
    open,
  );
}

async function runAsAdmin(url: string, statement: string, open?: Client): Promise<void> {
  if (open) {
    await open.query(statement);
    return;
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
