import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { transcriptText } from '../../src/calls/transcript-text.ts';
import { decodePayload } from '../../src/carriers/media-faults.ts';
import { cpuMsOf } from '../support/cpu-time.ts';
import { isLong } from '../support/effort.ts';
import { slowText } from './hostile-texts.ts';

// Each was a pattern whose work grew with the square of its text, on the thread that carries sound.

test('a transcript of blanks is written in a moment, a line a message', () => {
  const said = (text: string) => ({
    messageId: 'm',
    role: 'user' as const,
    text,
    timestamp: new Date(0),
  });
  const write = (text: string) => transcriptText([said(text)], new Date(0));
  expect(write('one \n\n two\nthree')).toBe('[00:00] user: one two three\n');
  expect(cpuMsOf(() => write(`${' '.repeat(200_000)}x`))).toBeLessThan(1000);
});

test('a payload of padding is told from base64 in a moment', () => {
  expect(decodePayload('aGk=')).toEqual(Buffer.from('hi'));
  expect(decodePayload('aA==')).toEqual(Buffer.from('h'));
  expect(decodePayload('aGk')).toEqual(Buffer.from('hi'));
  expect(decodePayload('aG k=')).toBeUndefined();
  let found: Uint8Array | undefined;
  expect(cpuMsOf(() => (found = decodePayload(`${'='.repeat(200_000)}x`)))).toBeLessThan(1000);
  expect(found).toBeUndefined();
});

const SRC = resolve(import.meta.dirname, '../../src');
/** These run in a browser or a terminal, at whoever gave them their text. */
const ELSEWHERE = /^(?:cli|client|console|web-client)\//;

interface Written {
  readonly place: string;
  readonly pattern: RegExp;
}

/** Every regular expression that stands in the service's code. */
function writtenPatterns(): Written[] {
  const found: Written[] = [];
  const walk = (place: string, node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { regex } = node as { readonly regex?: { pattern: string; flags: string } };
    if (regex) found.push({ place, pattern: new RegExp(regex.pattern, regex.flags) });
    else for (const inner of Object.values(node)) walk(place, inner);
  };
  for (const name of readdirSync(SRC, { recursive: true, encoding: 'utf8' })) {
    const place = name.split(sep).join('/');
    if (place.endsWith('.ts') && !ELSEWHERE.test(place))
      walk(place, parseAst(readFileSync(join(SRC, name), 'utf8'), { lang: 'ts' }).body);
  }
  return found;
}

/**
 * Patterns that are slow on long texts, and are given none: the longest text of each. Words are cut by the file itself;
 * a name of a file has 255 characters; the table of letters and sounds is the service's own.
 */
const CUT: Readonly<Record<string, number>> = {
  'providers/text-normalisation/protocol.ts': 200,
  'providers/offline/tts/spoken-text.ts': 200,
  'providers/offline/stt/letter-to-sound.ts': 60,
  'providers/sherpa-onnx/recogniser-model.ts': 255,
};

test.runIf(isLong)(
  'the search for slow texts finds exponential, cubic and square patterns, and no others',
  () => {
    for (const slow of [
      /^(a+)+$/,
      /^(\w+\s?)*$/,
      /\s*\s*\s*x/,
      /\/+$/,
      /<!--[\s\S]*?-->/,
      /“([^”]+)”/,
    ])
      expect.soft(slowText(slow), String(slow)).toBeDefined();
    for (const fast of [/^a+$/, /(?<!\/)\/+$/, /[a-z]+/g, /^[\w-]{1,64}$/, /"[^"]*"/g])
      expect.soft(slowText(fast), String(fast)).toBeUndefined();
  },
);

test.runIf(isLong)(
  'no pattern of the service takes the square of a text, unless the text is cut',
  () => {
    const patterns = writtenPatterns();
    expect(patterns.length).toBeGreaterThan(300);
    const slow = patterns.flatMap(({ place, pattern }) => {
      const found = slowText(pattern, CUT[place]);
      return found ? [`${place} ${pattern}: ${JSON.stringify(found)}`] : [];
    });
    expect(slow).toEqual([]);
  },
);
