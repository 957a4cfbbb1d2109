import { expect, test } from 'vitest';
import { HandsetCodec } from '../../src/gateway/handset-codec.ts';
import { WebCodec } from '../../src/gateway/web-codec.ts';
import { webLimitDefaults } from '../../src/gateway/web-limits.ts';

const FRAME = Buffer.alloc(640); // 20 ms at 16 kHz
const START = Buffer.from('{"type":"start","sampleRate":16000}');
const IGNORED = { started() {}, audio() {}, event() {} };

test.each([
  { of: 'a web client', codec: () => new WebCodec(webLimitDefaults, 0) },
  { of: 'a browser that is a telephone', codec: () => new HandsetCodec(webLimitDefaults, 0) },
])(
  'what $of said while the process was too busy to read its start is not too fast',
  ({ codec }) => {
    const [readAt, target] = [3000, codec()];
    expect(target.read(START, false, readAt, IGNORED)).toBeUndefined();
    let accepted = 0;
    while (target.read(FRAME, true, readAt, IGNORED) === undefined) accepted++;
    target.release();
    // No more than could be said by then, and the lead that every client may have.
    expect(accepted).toBe((readAt + webLimitDefaults.maxLeadMs) / 20 + 1);
  },
);
