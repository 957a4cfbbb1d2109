import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listenDefaults, listenPlaces } from '../src/api/calls/listen-socket.ts';
import { defaultLimits } from '../src/api/deps.ts';
import { largeBody } from '../src/api/json-body.ts';
import { largeBodyPace } from '../src/api/large-bodies.ts';
import { arrivalDefaults } from '../src/api/slow-requests.ts';
import { callStartDefaults } from '../src/calls/call-starts.ts';
import { probationDefaults } from '../src/calls/probation.ts';
import { MAX_FILE_BYTES } from '../src/contract/file.ts';
import { MAX_EVENT_ACCOUNTS } from '../src/contract/number.ts';
import { carrierLimitDefaults } from '../src/gateway/carrier-limits.ts';
import { handsetAdmissionDefaults } from '../src/gateway/handset-socket.ts';
import { admissionDefaults } from '../src/gateway/socket-admission.ts';
import { webLimitDefaults } from '../src/gateway/web-limits.ts';
import { MAX_FRAME_BYTES } from '../src/gateway/web-protocol.ts';
import { MAX_SCHEMA_CHARS } from '../src/lib/schema-checker.ts';

const LIMITS = {
  admission: admissionDefaults,
  handsets: handsetAdmissionDefaults,
  web: webLimitDefaults,
  carrier: carrierLimitDefaults,
  listen: { ...listenDefaults, ...listenPlaces },
  requests: arrivalDefaults,
  api: defaultLimits,
  largeBody: { ...largeBody, ...largeBodyPace },
  callStart: callStartDefaults,
  probation: probationDefaults,
  frame: { maxBytes: MAX_FRAME_BYTES },
  file: { maxBytes: MAX_FILE_BYTES },
  asterisk: { maxAccountsPerTeam: MAX_EVENT_ACCOUNTS },
  schema: { maxChars: MAX_SCHEMA_CHARS },
};

/** How often something is looked at or said: no bound on anybody. */
const RHYTHMS = /\.(?:pingEveryMs|statsEveryMs|lookMs|closeMs|silentMs)$/;

function flatten(value: unknown, name: string): [string, number][] {
  if (typeof value === 'number') return [[name, value]];
  return Object.entries(value as object).flatMap(([key, inner]) =>
    flatten(inner, name ? `${name}.${key}` : key),
  );
}

const page = readFileSync(join(import.meta.dirname, '../docs/security.md'), 'utf8');
const table = /<!-- limits -->([\s\S]*)<!-- \/limits -->/.exec(page)?.[1] ?? '';
const rows = [...table.matchAll(/^\| `([\w.]+)` \| (\d+) \|/gm)];
const documented = new Map(rows.map(([, name = '', value]) => [name, Number(value)]));

test('each limit of the page is that of the code, and none is missing', () => {
  const actual = new Map(flatten(LIMITS, ''));
  for (const [name, value] of documented) expect([name, actual.get(name)]).toEqual([name, value]);
  const named = [...actual.keys()].filter((name) => !RHYTHMS.test(name));
  expect(named.filter((name) => !documented.has(name))).toEqual([]);
});

test('each file that the page links to is there', () => {
  const links = [...page.matchAll(/\]\(([^)#]+)/g)].map(([, path = '']) => path);
  expect(links.length).toBeGreaterThan(15);
  const missing = links.filter((path) => !existsSync(join(import.meta.dirname, '../docs', path)));
  expect(missing).toEqual([]);
});
