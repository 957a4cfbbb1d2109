import { expect, test } from 'vitest';
import { transcriptText } from '../../src/calls/transcript-text.ts';
import { decodePayload } from '../../src/carriers/media-faults.ts';
import { cpuMsOf } from '../support/cpu-time.ts';

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
