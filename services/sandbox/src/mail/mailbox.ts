import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { Clock } from '../clock.ts';
import { epochSeconds } from '../clock.ts';

export type CaughtMail = { id: number; at: number; to: string[]; subject: string; html: string };
export type Mailbox = {
  /** Newest first. */
  mails: () => CaughtMail[];
  /** Returns the port, or null if it is taken: the rest of the sandbox works without. */
  listen: (port: number, host: string) => Promise<number | null>;
  close: () => void;
};

const KEPT = 50;

/** Catches the product's emails. Nothing leaves this machine. */
export function createMailbox(clock: Clock): Mailbox {
  let mails: CaughtMail[] = [];
  let last = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onAuth: (_auth, _session, callback) => callback(null, { user: 'anybody' }),
    onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = envelope.rcptTo.map(({ address }) => address);
        last += 1;
        const mail = {
          id: last,
          at: epochSeconds(clock),
          to,
          ...parse(Buffer.concat(chunks).toString()),
        };
        mails = [mail, ...mails].slice(0, KEPT);
        callback();
      });
    },
  });
  server.on('error', () => undefined);
  return {
    mails: () => mails,
    async listen(port, host) {
      const { server: listener } = server;
      server.listen(port, host);
      return once(listener, 'listening').then(
        () => (listener.address() as AddressInfo).port,
        () => null,
      );
    },
    close: () => server.close(),
  };
}

/** Reads a mail with base64 parts and the subject as its page's title, like ours. */
function parse(raw: string): Pick<CaughtMail, 'subject' | 'html'> {
  const part = /Content-Type: text\/html[^]*?\r\n\r\n([^]*?)\r\n--/.exec(raw)?.[1] ?? '';
  const html = Buffer.from(part, 'base64').toString();
  return { subject: /<title>(.*?)<\/title>/.exec(html)?.[1] ?? '', html };
}
