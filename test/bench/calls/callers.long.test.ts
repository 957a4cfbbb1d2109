import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { type Callers, startCallers } from './callers.ts';
import { missingForLoad } from './load-process.ts';
import { type HeardLine, type MediaServer, startMediaServer } from './media-server.ts';
import { monotonicMs, type Target } from './messages.ts';
import { carrierFrames, webFrames } from './spoken-turns.ts';

const missing = missingForLoad();
const [WEB_BYTES, CARRIER_BYTES] = [640, 160];

interface CarrierMedia {
  readonly streamSid: string;
  readonly sequenceNumber: string;
  readonly media: { readonly payload: string };
}

let callers: Callers;
let server: MediaServer;

/** The line of the last caller who has connected. */
async function connected(target: Target): Promise<HeardLine> {
  const { calls } = target;
  expect(await callers.ask('connect', target)).toEqual({ connected: calls, refused: [] });
  return server.lines.at(-1) as HeardLine;
}

async function firstReport() {
  const { lines } = await callers.ask('report');
  return lines[0] as NonNullable<(typeof lines)[0]>;
}

describe.skipIf(!!missing)(`the callers of the load${missing ? `: ${missing}` : ''}`, () => {
  beforeAll(async () => {
    callers = await startCallers();
  });
  afterAll(() => callers.stop());
  beforeEach(async () => {
    server = await startMediaServer();
  });
  afterEach(async () => {
    server.stop();
    await callers.ask('hangup');
  });

  test('speak the script to the web in frames of 20 ms, masked and whole', async () => {
    const line = await connected(server.target('web'));
    expect(line.said[0]?.text).toEqual({ type: 'start', sampleRate: 16_000 });
    await eventually(() => expect(line.frames.length).toBeGreaterThan(50));
    const heard = Buffer.concat(line.frames);
    expect(heard.equals(Buffer.from(webFrames()).subarray(0, heard.length))).toBe(true);
    expect(line.frames.every(({ length }) => length === WEB_BYTES)).toBe(true);
    const instants = line.said.filter(({ bytes }) => bytes).map(({ atMs }) => atMs);
    const tookMs = (instants.at(-1) ?? 0) - (instants[0] ?? 0);
    expect(Math.abs(tookMs - 20 * (instants.length - 1))).toBeLessThan(500);
  });

  test('say nothing but the noise of the line where they are to be silent', async () => {
    const line = await connected(server.target('web', { silent: true }));
    await eventually(() => expect(line.frames.length).toBeGreaterThan(60));
    const heard = Buffer.concat(line.frames);
    const lastSecond = Buffer.from(webFrames()).subarray(-50 * WEB_BYTES);
    expect(heard.subarray(0, lastSecond.length).equals(lastSecond)).toBe(true);
  });

  test('speak the same as a carrier does, in base64, each message numbered', async () => {
    server.opened.onLine = () => undefined;
    const line = await connected(server.target('carrier'));
    await eventually(() => expect(line.texts('media').length).toBeGreaterThan(20));
    const [hello, start] = line.said.map(({ text }) => text as never);
    expect(hello).toEqual({ event: 'connected', protocol: 'Call', version: '1.0.0' });
    const { streamSid } = start as unknown as CarrierMedia;
    const format = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 };
    expect(start).toMatchObject({ start: { tracks: ['inbound'], mediaFormat: format, streamSid } });
    const media = line.texts('media').map(({ text }) => text as unknown as CarrierMedia);
    expect(media.every((one) => one.streamSid === streamSid)).toBe(true);
    const numbers = media.map(({ sequenceNumber }) => Number(sequenceNumber));
    expect(numbers).toEqual(media.map((_, n) => n + 3));
    expect(media[9]?.media).toMatchObject({ track: 'inbound', chunk: '10', timestamp: '200' });
    const heard = Buffer.concat(media.map((one) => Buffer.from(one.media.payload, 'base64')));
    expect(heard.length).toBe(media.length * CARRIER_BYTES);
    expect(heard.equals(Buffer.from(carrierFrames()).subarray(0, heard.length))).toBe(true);
  });

  test('play what the service sends: a reply, a pause within it, marks and a clear', async () => {
    const line = await connected(server.target('web'));
    await callers.ask('reset');
    const sentAt = monotonicMs();
    line.socket.send(Buffer.alloc(10 * WEB_BYTES));
    line.send({ type: 'mark', mark: 'm"1' });
    await eventually(() => expect(line.texts('played')).toHaveLength(1), { everyMs: 5 });
    const [played] = line.texts('played');
    expect(played?.text).toEqual({ type: 'played', mark: 'm"1' });
    expect((played?.atMs ?? 0) - sentAt).toBeGreaterThan(199);
    // The sound went on so much later than it had ended.
    await delay(Math.max(0, sentAt + 260 - monotonicMs()));
    line.socket.send(Buffer.alloc(10 * WEB_BYTES));
    line.send({ type: 'mark', mark: 'never' });
    line.send({ type: 'clear' });
    await eventually(() => expect(line.texts('cleared')).toHaveLength(1));
    const report = await firstReport();
    expect(report).toMatchObject({ party: 'c-1', wire: 'web' });
    expect(report.framesSent).toBeGreaterThan(10);
    expect(report.replyAt).toHaveLength(1);
    expect(report.replyAt[0]).toBeGreaterThan(sentAt);
    expect(report.clearAt).toHaveLength(1);
    expect(report.latenessMs).toHaveLength(19);
    const late = report.latenessMs.filter((ms) => ms > 0);
    expect(late).toHaveLength(1);
    expect(late[0]).toBeGreaterThan(40);
    expect(report.gaps.map(({ ms }) => ms)).toEqual(late);
    const [cleared] = line.texts('cleared').map(({ text }) => text as { playedMs?: number });
    const playedMs = cleared?.playedMs;
    // All of the first part, and nearly nothing of what was cleared at once.
    expect(playedMs).toBeGreaterThanOrEqual(200);
    expect(playedMs).toBeLessThan(400);
    expect(line.texts('played')).toHaveLength(1);
  });

  test('count base64 as sound, and give a carrier its marks back when it clears', async () => {
    server.opened.onLine = () => undefined;
    const line = await connected(server.target('carrier'));
    await callers.ask('reset');
    for (const bytes of [160, 160, 159, 158]) {
      const payload = Buffer.alloc(bytes).toString('base64');
      line.send({ event: 'media', streamSid: 's', media: { payload } });
    }
    line.send({ event: 'mark', streamSid: 's', mark: { name: 'm1' } });
    line.send({ event: 'mark', streamSid: 's', mark: { name: 'm2' } });
    line.send({ event: 'clear', streamSid: 's' });
    await eventually(() => expect(line.texts('mark')).toHaveLength(2));
    const names = line.texts('mark').map(({ text }) => text as never as { mark: unknown });
    expect(names.map(({ mark }) => mark)).toEqual([{ name: 'm1' }, { name: 'm2' }]);
    const report = await firstReport();
    expect(report.party).toBe('+15005551000');
    expect(report.latenessMs).toEqual([0, 0, 0]);
    expect(report.clearAt).toHaveLength(1);
  });

  test('begin another reply after one of full length', async () => {
    const line = await connected(server.target('web'));
    await callers.ask('reset');
    for (let ms = 0; ms < 3200; ms += 100) line.socket.send(Buffer.alloc(5 * WEB_BYTES));
    line.socket.send(Buffer.alloc(WEB_BYTES));
    await eventually(async () => {
      const report = await firstReport();
      expect(report.replyAt).toHaveLength(2);
      expect(report.latenessMs).toHaveLength(159);
    });
  });

  test('await each frame of the floor from the instant at which it was asked for', async () => {
    server.opened.onLine = ({ socket }) =>
      socket.on('message', (data) => setTimeout(() => socket.send(data), 50));
    const line = await connected(server.target('web', { kind: 'floor' }));
    await callers.ask('reset');
    await eventually(async () =>
      expect((await firstReport()).latenessMs.length).toBeGreaterThan(9),
    );
    expect(line.texts('start')).toEqual([]);
    const { ownDelayMs } = await callers.ask('report');
    expect(Math.min(...(await firstReport()).latenessMs)).toBeGreaterThan(48);
    expect(ownDelayMs.length).toBeGreaterThan(100);
  });

  test('say why they were lost or refused', async () => {
    const told = await connected(server.target('web'));
    told.send({ type: 'ended', reason: 'max-duration' });
    told.socket.close(1000);
    const closed = await connected(server.target('web'));
    closed.socket.close(1011, 'gone');
    const failed = await connected(server.target('web'));
    failed.socket.terminate();
    // What the caller was sending just then makes a reset of it.
    const withoutAWord = expect.stringMatching(/^(1006|Connection reset by peer|Broken pipe)$/);
    await eventually(async () => {
      const { lines } = await callers.ask('report');
      expect(lines.map(({ lost }) => lost)).toEqual(['max-duration', '1011 gone', withoutAWord]);
    });
    server.opened.onUpgrade = (socket) => socket.end('HTTP/1.1 503 Busy\r\n\r\n');
    const refused = await callers.ask('connect', server.target('web', { calls: 2 }));
    expect(refused).toEqual({ connected: 0, refused: Array(2).fill('not upgraded: 503') });
  });

  test('hang up in the words of each wire', async () => {
    const web = await connected(server.target('web'));
    web.closeOnHangup();
    server.opened.onLine = () => undefined;
    const carrier = await connected(server.target('carrier'));
    const codes = Promise.all([web, carrier].map(({ socket }) => once(socket, 'close')));
    await callers.ask('hangup');
    expect((await codes).map(([code]) => code)).toEqual([1000, 1000]);
    expect(web.texts('hangup')).toHaveLength(1);
    expect(carrier.texts('stop')).toHaveLength(1);
    expect((await callers.ask('report')).lines).toEqual([]);
  });

  test('hold short calls one after the other', async () => {
    server.opened.onLine = (line) => {
      line.closeOnHangup();
      line.send({ type: 'ready', callId: 'c-1' });
    };
    const wanted = server.target('web', { calls: 5 });
    expect(await callers.ask('churn', wanted, { atOnce: 2, frames: 3 })).toBe(5);
    expect(server.lines.map(({ frames }) => frames.length)).toEqual([3, 3, 3, 3, 3]);
    expect((await callers.ask('report')).lines).toEqual([]);
  });
});
