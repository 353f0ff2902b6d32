import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/*
 * Certificates for tests of TLS, written as DER: Node has no function for it, and not every machine
 * has openssl.
 */

const bytes = (...parts: (Buffer | number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part)));

function der(tag: number, ...parts: (Buffer | number[])[]): Buffer {
  const content = bytes(...parts);
  const { length } = content;
  if (length < 0x80) return bytes([tag, length], content);
  if (length < 0x1_00) return bytes([tag, 0x81, length], content);
  return bytes([tag, 0x82, length >> 8, length & 0xff], content);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const text = (tag: number, value: string) => der(tag, Buffer.from(value));
const bits = (content: Buffer) => der(0x03, [0], content);

// Object identifiers, encoded.
const ECDSA_WITH_SHA256 = sequence(der(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));
const COMMON_NAME = der(0x06, [0x55, 0x04, 0x03]);
const BASIC_CONSTRAINTS = der(0x06, [0x55, 0x1d, 0x13]);
const ALTERNATIVE_NAMES = der(0x06, [0x55, 0x1d, 0x11]);

const nameOf = (commonName: string) =>
  sequence(der(0x31, sequence(COMMON_NAME, text(0x0c, commonName))));
const extension = (id: Buffer, value: Buffer) => sequence(id, der(0x04, value));
const toPem = (certificate: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;

type Request = {
  subject: string;
  publicKey: KeyObject;
  issuer: string;
  issuerKey: KeyObject;
  extensions: Buffer;
};

function makeCertificate({ subject, publicKey, issuer, issuerKey, extensions }: Request): string {
  const content = sequence(
    der(0xa0, der(0x02, [2])),
    der(0x02, [1], randomBytes(8)),
    ECDSA_WITH_SHA256,
    nameOf(issuer),
    sequence(text(0x18, '20200101000000Z'), text(0x18, '21200101000000Z')),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extensions)),
  );
  return toPem(sequence(content, ECDSA_WITH_SHA256, bits(sign('sha256', content, issuerKey))));
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** A test's certificate authority. `issue` makes a certificate for 127.0.0.1. */
export type TestAuthority = { certificate: string; issue(): { certificate: string; key: string } };

/** Creates a certificate authority with a name of its own. */
export function createAuthority(): TestAuthority {
  const issuer = `CA ${randomBytes(4).toString('hex')}`;
  const { publicKey, privateKey: issuerKey } = newKeys();
  const isAuthority = extension(BASIC_CONSTRAINTS, sequence(der(0x01, [0xff])));
  return {
    certificate: makeCertificate({
      subject: issuer,
      publicKey,
      issuer,
      issuerKey,
      extensions: isAuthority,
    }),
    issue() {
      const own = newKeys();
      const extensions = extension(ALTERNATIVE_NAMES, sequence(der(0x87, [127, 0, 0, 1])));
      const subject = '127.0.0.1';
      return {
        certificate: makeCertificate({
          subject,
          publicKey: own.publicKey,
          issuer,
          issuerKey,
          extensions,
        }),
        key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      };
    },
  };
}
