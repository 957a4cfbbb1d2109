import { describe, expect, test } from 'vitest';
import {
  FILE_ENDINGS,
  faultOfFile,
  MAX_UPLOAD_BYTES,
  sizeText,
} from '../../src/console/knowledge/file-check.ts';
import {
  faultOfSource,
  pollAfterMs,
  statusView,
} from '../../src/console/knowledge/training-status.ts';
import { FILE_FORMATS, MAX_FILE_BYTES } from '../../src/contract/file.ts';
import { formatOfExtension } from '../../src/knowledge/formats.ts';

describe('files', () => {
  test('are taken within the bounds of the service', () => {
    expect(MAX_UPLOAD_BYTES).toBe(MAX_FILE_BYTES);
    const formats = FILE_ENDINGS.map(formatOfExtension);
    expect(new Set(formats)).toEqual(new Set(FILE_FORMATS));
  });

  test.each([
    ['prices.csv', 10, undefined],
    ['README', 10, undefined],
    ['Holiday.EXE', 10, /^Files named \.exe are not taken/],
    ['nothing.txt', 0, 'The file is empty.'],
    ['film.pdf', MAX_UPLOAD_BYTES, undefined],
    ['film.pdf', 60 * 1024 * 1024, 'It is 60 MB large; 50 MB is the most.'],
    [`${'a'.repeat(252)}.txt`, 1, 'Its name is longer than 255 characters.'],
  ] as const)('%s of %i bytes', (name, size, fault) => {
    const found = faultOfFile({ name, size });
    if (fault instanceof RegExp) expect(found).toMatch(fault);
    else expect(found).toBe(fault);
  });

  test('have sizes that people can read', () => {
    expect([0, 999, 1024, 1536, 52_000, 1_500_000].map(sizeText)).toEqual([
      '0 bytes',
      '999 bytes',
      '1.0 KB',
      '1.5 KB',
      '51 KB',
      '1.4 MB',
    ]);
  });
});

describe('a training', () => {
  const failed = { status: 'created', statusReason: 'a.pdf: there is no text in it.' } as const;

  test('is told in words and a tone', () => {
    expect(statusView({ status: 'training' })).toMatchObject({ text: 'Training', live: true });
    expect(statusView(failed)).toMatchObject({ text: 'Training failed', tone: 'bad' });
    expect(statusView({ status: 'created' }).text).toBe('Not trained');
    expect(statusView({ status: 'trained', statusReason: 'x' }).tone).toBe('warn');
  });

  test('tells at its source what is wrong with it', () => {
    expect(faultOfSource(failed, 'a.pdf')).toBe('There is no text in it.');
    expect(faultOfSource(failed, 'a')).toBeUndefined();
    expect(faultOfSource({ ...failed, status: 'queued' }, 'a.pdf')).toBeUndefined();
    const page = { status: 'created', statusReason: 'https://x.test/a answered 404.' } as const;
    expect(faultOfSource(page, 'https://x.test/a')).toBe('Answered 404.');
    expect(faultOfSource(page, 'https://x.test/')).toBeUndefined();
  });

  test('is asked for less often, the longer it takes, and never more than 10 s apart', () => {
    const waits = Array.from({ length: 12 }, (_, asked) => pollAfterMs(asked));
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(waits[0]).toBe(700);
    expect(waits.at(-1)).toBe(10_000);
  });
});
