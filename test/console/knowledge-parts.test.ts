import { describe, expect, test } from 'vitest';
import {
  FILE_ENDINGS,
  faultOfFile,
  MAX_UPLOAD_BYTES,
  sizeText,
} from '../../src/console/knowledge/file-check.ts';
import { highlight } from '../../src/console/knowledge/highlight.ts';
import { retrainOptions } from '../../src/console/knowledge/retrain.ts';
import {
  faultOfSource,
  pollAfterMs,
  statusView,
} from '../../src/console/knowledge/training-status.ts';
import {
  docOf,
  draftOfDoc,
  faultsOfDoc,
  NEW_WEB_DOC,
  withDoc,
} from '../../src/console/knowledge/web-doc.ts';
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
    ['Holiday.EXE', 10, /^Files named \.exe are not supported/],
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
  const failed = {
    status: 'created',
    statusReason: 'a.pdf: there is no text in the file.',
  } as const;

  test('is shown in words and a colour', () => {
    expect(statusView({ status: 'training' })).toMatchObject({ text: 'Training', live: true });
    expect(statusView(failed)).toMatchObject({ text: 'Training failed', tone: 'bad' });
    expect(statusView({ status: 'created' }).text).toBe('Not trained');
    expect(statusView({ status: 'trained', statusReason: 'x' }).tone).toBe('warn');
  });

  test('shows its error at the source that caused it', () => {
    expect(faultOfSource(failed, 'a.pdf')).toBe('There is no text in the file.');
    expect(faultOfSource(failed, 'a')).toBeUndefined();
    expect(faultOfSource({ ...failed, status: 'queued' }, 'a.pdf')).toBeUndefined();
    const page = { status: 'created', statusReason: 'https://x.test/a answered 404.' } as const;
    expect(faultOfSource(page, 'https://x.test/a')).toBe('Answered 404.');
    expect(faultOfSource(page, 'https://x.test/')).toBeUndefined();
  });

  test('is polled less often the longer it takes, but at least every 10 s', () => {
    const waits = Array.from({ length: 12 }, (_, asked) => pollAfterMs(asked));
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(waits[0]).toBe(700);
    expect(waits.at(-1)).toBe(10_000);
  });
});

describe('a passage', () => {
  const marked = (text: string, query: string): string =>
    highlight(text, query)
      .map((part) => (part.hit ? `[${part.text}]` : part.text))
      .join('');

  test.each([
    [
      'Tyres are changed within the hour.',
      'changing a tyre',
      '[Tyres] are [changed] within the hour.',
    ],
    ['Öffnungszeiten: 9 bis 17 Uhr', 'öffnung um 9', '[Öffnungszeiten]: [9] bis 17 Uhr'],
    ['A is B, then there', 'a b the', 'A is B, then there'],
    ['', 'anything', ''],
    ['<b>bold</b>', 'bold', '<b>[bold]</b>'],
  ])('%j is marked where it holds the words of %j', (text, query, expected) => {
    expect(marked(text, query)).toBe(expected);
  });
});

describe('a web site', () => {
  const draft = {
    addresses: [
      { url: ' https://x.test/help ', reach: 'below' },
      { url: 'https://x.test/', reach: 'site' },
    ],
    excluded: '\nhttps://x.test/help/old \n',
  } as const;

  test('is what was written', () => {
    const doc = docOf(draft);
    expect(doc.payload).toEqual({
      urls_to_include: [
        { url: 'https://x.test/help', recursive: true, subpaths_only: true },
        { url: 'https://x.test/', recursive: true, subpaths_only: false },
      ],
      urls_to_exclude: ['https://x.test/help/old'],
    });
    expect(docOf(draftOfDoc(doc))).toEqual(doc);
    expect(faultsOfDoc(draft)).toEqual({});
  });

  test('is validated field by field', () => {
    expect(faultsOfDoc(NEW_WEB_DOC)).toEqual({ 'url-0': 'Enter an address.' });
    const wrong = { addresses: [{ url: 'x.test', reach: 'page' }], excluded: 'y' } as const;
    expect(faultsOfDoc(wrong)).toEqual({
      'url-0': expect.stringContaining('https://'),
      excluded: expect.stringContaining('“y”'),
    });
  });

  test('replaces the edited one, or is added at the end', () => {
    const [a, b, c] = [{ n: 1 }, { n: 2 }, { n: 3 }];
    expect(withDoc([a, b], { n: 1 }, [c])).toEqual([c, b]);
    expect(withDoc([a, b], { n: 2 }, [])).toEqual([a]);
    expect(withDoc([a], undefined, [c])).toEqual([a, c]);
    expect(withDoc([b], { n: 1 }, [c])).toEqual([b, c]);
  });

  test('keeps an interval that another client has set', () => {
    expect(retrainOptions(1440)).toHaveLength(5);
    expect(retrainOptions(120).at(-1)).toEqual({ value: '120', label: 'Every 2 hours' });
  });
});
