import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ReaderBusyError } from '../../src/knowledge/reading/reader-busy-error.ts';
import { docx, wordParagraph } from '../support/docx.ts';
import { isLong } from '../support/effort.ts';
import { openTestFiles, type TestFiles } from '../support/files.ts';
import { pdf, shownAt } from '../support/pdf.ts';

const MIB = 1024 * 1024;

/** The reading processes that a process has started and not yet seen end. */
function readersOf(parent: number): number[] {
  const children = execFileSync('ps', ['--ppid', String(parent), '-o', 'pid=,args='], {
    encoding: 'utf8',
  });
  const lines = children.split('\n').filter((line) => line.includes('reader-child'));
  return lines.map((line) => Number.parseInt(line, 10));
}

const shown = (text: string) => shownAt(text, 50, 700);

describe('a file that', () => {
  let files: TestFiles;
  beforeAll(async () => {
    files = await openTestFiles({
      limits: { memoryBytes: 400 * MIB, heapMib: 256, lookMs: 60_000 },
    });
  });
  afterAll(() => files.close());

  const inspect = async (name: string, content: Buffer) => {
    const path = join(files.folder, 'hostile');
    await writeFile(path, content);
    const { signal } = new AbortController();
    return files.fileReader.inspect(path, { name, declaredType: '' }, { team: 'ada', signal });
  };
  const isWell = () => inspect('well.txt', Buffer.from('All is well.'));

  /** Runs it while watching that this process, which has calls to hold, neither grows nor stalls. */
  const watched = async (work: () => Promise<unknown>) => {
    const before = process.memoryUsage().rss;
    let longestMs = 0;
    let last = performance.now();
    let most = 0;
    const timer = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last);
      most = Math.max(most, process.memoryUsage().rss - before);
      last = performance.now();
    }, 10);
    try {
      await work();
    } finally {
      clearInterval(timer);
    }
    expect(most).toBeLessThan(150 * MIB);
    return longestMs;
  };

  test('is a good PDF or Word document is taken', async () => {
    expect(await inspect('a.pdf', pdf(deflateSync(shown('Hello there'))))).toEqual({
      format: 'pdf',
    });
    expect(await inspect('a.docx', docx(wordParagraph('Hello there')))).toEqual({ format: 'docx' });
  });

  test.runIf(isLong)('is a PDF that unpacks without end is refused', async () => {
    const once = deflateSync(Buffer.alloc(512 * MIB, ' '), { level: 9 });
    const bomb = pdf(deflateSync(once, { level: 9 }), '[/FlateDecode /FlateDecode]');
    expect(bomb.length).toBeLessThan(MIB);
    await watched(() => expect(inspect('bomb.pdf', bomb)).rejects.toThrow(/memory|long|no text/));
    expect(await isWell()).toEqual({ format: 'txt' });
  });

  test('is a PDF that refers to itself is refused or read, in bounded time', async () => {
    const loop = Buffer.from(
      pdf(deflateSync(shown('x')))
        .toString('latin1')
        .replace('/Kids[3 0 R]', '/Kids[2 0 R]'),
      'latin1',
    );
    await expect(inspect('loop.pdf', loop)).rejects.toThrow(/./);
    expect(await isWell()).toEqual({ format: 'txt' });
  });

  test('is a PDF without words is refused', async () => {
    await expect(inspect('blank.pdf', pdf(deflateSync('0 0 m 9 9 l S')))).rejects.toThrow(
      'There is no text in the file.',
    );
  });

  test('is an encrypted PDF is refused, and the reason is the password', async () => {
    const encrypted = Buffer.from(
      pdf(deflateSync(shown('x')))
        .toString('latin1')
        .replace(
          '/Root 1 0 R>>',
          `/Root 1 0 R/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<${'41'.repeat(32)}>/U<${'42'.repeat(32)}>>>>>`,
        ),
      'latin1',
    );
    await expect(inspect('secret.pdf', encrypted)).rejects.toThrow('The PDF is encrypted');
  });

  test('is a Word document that announces more than it may unpack to is refused unread', async () => {
    const bomb = docx(Buffer.alloc(300 * MIB, ' '));
    expect(bomb.length).toBeLessThan(MIB);
    await watched(() =>
      expect(inspect('bomb.docx', bomb)).rejects.toThrow('unpacks to more than is allowed'),
    );
  });

  test.runIf(isLong)('is a Word document that lies about its size is refused', async () => {
    const bomb = docx(Buffer.alloc(600 * MIB, ' '), 1000);
    await watched(() => expect(inspect('liar.docx', bomb)).rejects.toThrow(/broken|memory|long/));
    expect(await isWell()).toEqual({ format: 'txt' });
  });

  test.runIf(isLong)(
    'is nested too deep to be read in time is given up, and the next is read',
    async () => {
      const hasty = await openTestFiles({ limits: { lookMs: 3000 } });
      try {
        const path = join(hasty.folder, 'deep');
        const { signal } = new AbortController();
        const look = async (name: string, content: string) => {
          await writeFile(path, content);
          const sent = { name, declaredType: '' };
          return hasty.fileReader.inspect(path, sent, { team: 'ada', signal });
        };
        for (const [name, content] of [
          ['deep.html', `<!doctype html>${'<div>'.repeat(100_000)}x`],
          ['deep.xml', `${'<a>'.repeat(100_000)}x${'</a>'.repeat(100_000)}`],
        ] as const)
          await expect(look(name, content)).rejects.toThrow('takes too long');
        expect(await look('well.txt', 'All is well.')).toEqual({ format: 'txt' });
      } finally {
        await hasty.close();
      }
    },
  );

  test.each([
    ['deep.json', '['.repeat(200_000) + ']'.repeat(200_000)],
    [
      'laughs.yaml',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(',')}]`).join('\n')}`,
    ],
    ['entities.xml', '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>'],
    ['marks.md', '*'.repeat(50_000) + '['.repeat(50_000)],
    ['rows.csv', `a,b\n"${'x'.repeat(2_000_000)}`],
  ])('is %s ends, and the next is read', async (name, content) => {
    await inspect(name, Buffer.from(content)).catch((error: Error) =>
      expect(error.name).toBe('UnreadableError'),
    );
    expect(await isWell()).toEqual({ format: 'txt' });
  });

  test('begins with comments without end is told from HTML as fast as any other', async () => {
    // Looking back over what may be a comment took a reader two minutes.
    expect(await inspect('comments.txt', Buffer.from(`${'<!---->'.repeat(60)}x`))).toEqual({
      format: 'txt',
    });
    const page = `${'<!-- a > b -->\n'.repeat(60)}<!DOCTYPE html><p>x`;
    expect(await inspect('', Buffer.from(page))).toEqual({ format: 'html' });
  });

  test.runIf(process.platform === 'linux')(
    'keeps its reader busy keeps no other team waiting, and yields to calls',
    async () => {
      const before = new Set(readersOf(process.pid));
      const fair = await openTestFiles();
      try {
        // Nobody ever writes into it.
        const endless = join(fair.folder, 'endless');
        execFileSync('mkfifo', [endless]);
        const well = join(fair.folder, 'well');
        await writeFile(well, 'All is well.');
        const sent = { name: 'well.txt', declaredType: '' };
        const { signal } = new AbortController();
        const eve = [1, 2, 3].map(() =>
          fair.fileReader.inspect(endless, sent, { team: 'eve', signal }),
        );
        const settled = Promise.allSettled(eve);
        expect(await fair.fileReader.inspect(well, sent, { team: 'ada', signal })).toEqual({
          format: 'txt',
        });
        const own = getPriority();
        const readers = readersOf(process.pid);
        expect(readers.length).toBeGreaterThanOrEqual(2);
        for (const pid of readers) expect(getPriority(pid)).toBeGreaterThan(own);
        await fair.fileReader.close();
        // Closed, it has left no process behind.
        expect(readersOf(process.pid).filter((pid) => !before.has(pid))).toEqual([]);
        expect((await settled).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
      } finally {
        await fair.close();
      }
    },
  );

  test('no process starts to read in time is not read, which is not the file’s fault', async () => {
    const late = await openTestFiles({ limits: { startMs: 1 } });
    try {
      const path = join(late.folder, 'well');
      await writeFile(path, 'All is well.');
      const { signal } = new AbortController();
      const sent = { name: 'well.txt', declaredType: '' };
      await expect(late.fileReader.inspect(path, sent, { team: 'ada', signal })).rejects.toThrow(
        ReaderBusyError,
      );
    } finally {
      await late.close();
    }
  });

  test('takes too long is given up, as is one whose reader is told to stop', async () => {
    const hasty = await openTestFiles({ limits: { lookMs: 1 } });
    try {
      const path = join(hasty.folder, 'slow');
      await writeFile(path, 'Slow.');
      const sent = { name: 'slow.txt', declaredType: '' };
      await expect(
        hasty.fileReader.inspect(path, sent, {
          team: 'ada',
          signal: new AbortController().signal,
        }),
      ).rejects.toThrow('takes too long');
      const stop = new AbortController();
      const stopped = files.fileReader.inspect(path, sent, { team: 'ada', signal: stop.signal });
      stop.abort();
      await expect(stopped).rejects.toThrow(/abort/i);
    } finally {
      await hasty.close();
    }
  });
});
