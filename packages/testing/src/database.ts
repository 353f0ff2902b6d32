import { Client, escapeIdentifier } from 'pg';

/** Creates a database, as a file copy of `template` if one is named, and answers its address. */
export async function createTestDatabase(adminUrl: string, name: string, template?: string): Promise<string> {
  // A file copy takes a tenth of the time of the default, which writes every page to the log.
  const source = template === undefined ? '' : `TEMPLATE ${escapeIdentifier(template)} STRATEGY FILE_COPY`;
  await runAsAdmin(adminUrl, `CREATE DATABASE ${escapeIdentifier(name)} ${source}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Drops a database, whoever is still connected to it. */
export async function dropTestDatabase(adminUrl: string, name: string): Promise<void> {
  await runAsAdmin(adminUrl, `DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`);
}

async function runAsAdmin(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
