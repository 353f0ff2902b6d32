import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail as it arrived over SMTP. */
export type ArrivedMail = {
  from: string;
  to: string[];
  subject: string;
  html: string;
  plain: string;
  messageId: string;
};

/** Starts a real mail server on its own port, which can refuse, hang, and be stopped. */
export async function startMailServer() {
  const mails: ArrivedMail[] = [];
  const behaviour = { refuses: false, hangs: false };
  const open = () =>
    new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      onMailFrom(_address, _session, callback) {
        if (behaviour.hangs) return;
        if (behaviour.refuses)
          callback(
            Object.assign(new Error('<secret@reader.example> refused'), { responseCode: 550 }),
          );
        else callback();
      },
      onData(stream, session, callback) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          mails.push(parse(Buffer.concat(chunks).toString(), session.envelope));
          callback();
        });
      },
    });
  let server = open();
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server.server, 'listening');
    return (server.server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const stop = () => new Promise<void>((resolve) => server.close(resolve));
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    behaviour,
    stop,
    async start() {
      server = open();
      await listen(port);
    },
  };
}

type Envelope = { mailFrom: false | { address: string }; rcptTo: { address: string }[] };

function parse(raw: string, { mailFrom, rcptTo }: Envelope): ArrivedMail {
  const header = (name: string) =>
    new RegExp(`^${name}: (.*(?:\\r\\n[ \\t].*)*)`, 'im')
      .exec(raw)?.[1]
      ?.replaceAll(/\r\n[ \t]/g, ' ') ?? '';
  const part = (type: string) => {
    const [, head = '', body = ''] =
      new RegExp(`Content-Type: ${type}([^]*?)\\r\\n\\r\\n([^]*?)\\r\\n--`).exec(raw) ?? [];
    return head.includes('base64')
      ? Buffer.from(body, 'base64').toString()
      : body.replaceAll('\r\n', '\n');
  };
  return {
    from: mailFrom === false ? '' : mailFrom.address,
    to: rcptTo.map(({ address }) => address),
    subject: decodeWords(header('Subject')),
    messageId: header('Message-ID'),
    plain: part('text/plain'),
    html: part('text/html'),
  };
}

/** Encoded words of RFC 2047, as UTF-8. */
function decodeWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([QB])\?(.*?)\?=/gi, (_all, kind: string, word: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString()
        : decodeURIComponent(word.replaceAll('_', ' ').replaceAll('%', '%25').replaceAll('=', '%')),
    );
}
