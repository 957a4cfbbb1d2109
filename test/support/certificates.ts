import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const DAY_MS = 86_400_000;

export interface Certificate {
  /** PEM, both. */
  readonly key: string;
  readonly cert: string;
}

/** Issues certificates, as an authority whose own certificate a client may trust. */
export interface Authority {
  /** PEM. */
  readonly cert: string;
  /** For names of hosts and IPv4 addresses. */
  issue(names: readonly string[], validity?: Validity): Certificate;
}

interface Validity {
  readonly from?: Date;
  readonly to?: Date;
}

interface Wanted extends Validity {
  readonly subject: string;
  readonly issuer: string;
  readonly names: readonly string[];
  readonly isAuthority: boolean;
  readonly publicKey: KeyObject;
  readonly issuerKey: KeyObject;
}

// ASN.1 in DER (X.690), as much of it as a certificate (RFC 5280) takes.
const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BITS = 0x03;
const OCTETS = 0x04;
const OBJECT_ID = 0x06;
const UTF8 = 0x0c;
const GENERALIZED_TIME = 0x18;

function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const id = (hex: string) => der(OBJECT_ID, Buffer.from(hex, 'hex'));
const ECDSA_WITH_SHA256 = der(SEQUENCE, id('2a8648ce3d040302'));
const COMMON_NAME = id('550403');
const ALTERNATIVE_NAME = id('551d11');
const BASIC_CONSTRAINTS = id('551d13');
const YES = Buffer.from([0x01, 0x01, 0xff]);

const nameOf = (text: string) =>
  der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8, Buffer.from(text)))));

const timeOf = (date: Date) =>
  der(GENERALIZED_TIME, Buffer.from(`${date.toISOString().replaceAll(/[-:T]|\..*/g, '')}Z`));

function alternative(name: string): Buffer {
  return /^[\d.]+$/.test(name)
    ? der(0x87, Buffer.from(name.split('.').map(Number)))
    : der(0x82, Buffer.from(name));
}

function certificate(wanted: Wanted): string {
  const { from = new Date(Date.now() - DAY_MS), to = new Date(Date.now() + DAY_MS) } = wanted;
  const extensions = [
    wanted.isAuthority
      ? der(SEQUENCE, BASIC_CONSTRAINTS, YES, der(OCTETS, der(SEQUENCE, YES)))
      : der(
          SEQUENCE,
          ALTERNATIVE_NAME,
          der(OCTETS, der(SEQUENCE, ...wanted.names.map(alternative))),
        ),
  ];
  const content = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1]), randomBytes(8)),
    ECDSA_WITH_SHA256,
    nameOf(wanted.issuer),
    der(SEQUENCE, timeOf(from), timeOf(to)),
    nameOf(wanted.subject),
    wanted.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, ...extensions)),
  );
  const signature = der(BITS, Buffer.from([0]), sign('sha256', content, wanted.issuerKey));
  const base64 = der(SEQUENCE, content, ECDSA_WITH_SHA256, signature).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();

/** An authority that did not exist before. */
export function createAuthority(name = 'Test authority'): Authority {
  const { publicKey, privateKey } = newKeys();
  const cert = certificate({
    subject: name,
    issuer: name,
    names: [],
    isAuthority: true,
    publicKey,
    issuerKey: privateKey,
  });
  return {
    cert,
    issue(names, validity = {}) {
      const own = newKeys();
      const issued = certificate({
        ...validity,
        subject: names[0] ?? 'server',
        issuer: name,
        names,
        isAuthority: false,
        publicKey: own.publicKey,
        issuerKey: privateKey,
      });
      return { key: pemOf(own.privateKey), cert: issued };
    },
  };
}

/** A certificate that vouches for itself. */
export function selfSigned(names: readonly string[]): Certificate {
  const { publicKey, privateKey } = newKeys();
  const name = names[0] ?? 'server';
  const cert = certificate({
    subject: name,
    issuer: name,
    names,
    isAuthority: false,
    publicKey,
    issuerKey: privateKey,
  });
  return { key: pemOf(privateKey), cert };
}
