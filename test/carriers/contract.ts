import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type {
  CarrierMediaEvent,
  CarrierMediaProtocol,
  WireFrame,
} from '../../src/ports/carrier-media.ts';

/** What the shared suite needs to know of one carrier's media socket. */
export interface MediaContract {
  readonly name: string;
  readonly create: () => CarrierMediaProtocol;
  /** A whole call as the carrier sends it: start, a frame of silence, the key 5, the mark u7.s3, and the end. */
  readonly fixture: string;
  readonly carrierCallId: string;
  readonly endsWithStop: boolean;
  /** The carrier's echo of a mark. */
  readonly echo: (name: string) => WireFrame;
  /** Audio that an outbound frame holds, in bytes of the codec; 0 for any other frame. */
  readonly audioBytes: (frame: WireFrame) => number;
  readonly wholeFrames: boolean;
  readonly returnsMarksOnClear: boolean;
}

/** The frames of a recorded call, binary ones in base64. */
export function wireFrames(path: string): readonly WireFrame[] {
  const text = readFileSync(
    join(resolve(import.meta.dirname, '../../fixtures/wire'), path),
    'utf8',
  );
  return text
    .trim()
    .split('\n')
    .map((line) =>
      line.startsWith('base64:') ? Buffer.from(line.slice('base64:'.length), 'base64') : line,
    );
}

function read(protocol: CarrierMediaProtocol, frames: readonly WireFrame[]): CarrierMediaEvent[] {
  return frames.flatMap((frame) => {
    const parsed = protocol.parse(frame);
    if (!parsed.ok) throw new Error(`${parsed.fault.code}: ${parsed.fault.message}`);
    return [...parsed.events];
  });
}

/** What every carrier's media protocol must do. */
export function mediaContract(contract: MediaContract): void {
  const frames = wireFrames(contract.fixture);
  const startFrames = frames.slice(
    0,
    frames.findIndex((frame) => /start/i.test(String(frame))) + 1,
  );
  const started = () => {
    const protocol = contract.create();
    read(protocol, startFrames);
    return protocol;
  };
  const bytes = (sent: readonly WireFrame[]) =>
    sent.reduce((sum, frame) => sum + contract.audioBytes(frame), 0);

  describe(contract.name, () => {
    test('reads a recorded call', () => {
      const protocol = started();
      protocol.mark('u7.s3');
      const fresh = contract.create();
      const all = [
        ...read(fresh, startFrames),
        ...read(protocol, frames.slice(startFrames.length)),
      ];
      expect(all).toEqual([
        { type: 'started', carrierCallId: contract.carrierCallId },
        { type: 'audio', pcm: new Int16Array(160) },
        { type: 'dtmf', digit: '5' },
        { type: 'mark', name: 'u7.s3' },
        ...(contract.endsWithStop ? [{ type: 'stopped' }] : []),
      ]);
    });

    test('takes nothing before the start, and no second start', () => {
      const late = contract.create().parse(frames[startFrames.length] as WireFrame);
      expect(late).toMatchObject({ ok: false, fault: { code: 'start-expected' } });
      const again = started().parse(startFrames.at(-1) as WireFrame);
      expect(again).toMatchObject({ ok: false, fault: { code: 'unexpected-start' } });
    });

    test.each([
      ['nothing', ''],
      ['no object', '[1,2]'],
      ['half an object', '{"event":"media"'],
      ['a number', '7'],
    ])('calls %s a fault, not a crash', (_what, text) => {
      for (const protocol of [contract.create(), started()]) {
        expect(protocol.parse(text).ok).toBe(false);
      }
    });

    test('what is cut anywhere is a fault or nothing at all, never an exception', () => {
      for (const frame of frames) {
        if (typeof frame !== 'string') continue;
        for (let length = 0; length < frame.length; length++) {
          expect(() => started().parse(frame.slice(0, length))).not.toThrow();
          expect(() => contract.create().parse(frame.slice(0, length))).not.toThrow();
        }
      }
    });

    test('audio of any length arrives whole, in whole frames where the carrier wants them', () => {
      const protocol = started();
      let sent = 0;
      for (const samples of [160, 161, 1, 319, 480, 7, 1440]) {
        const out = protocol.audio(new Int16Array(samples));
        if (contract.wholeFrames)
          for (const frame of out) expect(contract.audioBytes(frame) % 160).toBe(0);
        sent += bytes(out);
      }
      sent += bytes(protocol.mark('end'));
      const total = 160 + 161 + 1 + 319 + 480 + 7 + 1440;
      expect(sent).toBe(contract.wholeFrames ? Math.ceil(total / 160) * 160 : total);
      expect(protocol.audio(new Int16Array(0))).toEqual([]);
    });

    test('a mark that a clear flushed is not one that was heard', () => {
      const protocol = started();
      protocol.mark('m1');
      expect(read(protocol, [contract.echo('m1')])).toEqual([{ type: 'mark', name: 'm1' }]);
      protocol.mark('m2');
      protocol.mark('m3');
      protocol.clear();
      if (contract.returnsMarksOnClear) {
        expect(read(protocol, [contract.echo('m2'), contract.echo('m3')])).toEqual([]);
      }
      protocol.mark('m4');
      expect(read(protocol, [contract.echo('m4')])).toEqual([{ type: 'mark', name: 'm4' }]);
    });

    test('what a clear left over is not played with what comes next', () => {
      const protocol = started();
      protocol.audio(new Int16Array(100).fill(8000));
      protocol.clear();
      expect(bytes(protocol.audio(new Int16Array(160)))).toBe(160);
    });
  });
}
