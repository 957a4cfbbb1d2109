import { expect, test } from 'vitest';
import type { SoundLoop } from '../../src/audio/sound-loop.ts';
import type { BackgroundMixer } from '../../src/session/outbound/background-mixer.ts';
import { CallSounds } from '../../src/session/outbound/call-sounds.ts';

const music: SoundLoop = { sampleRateHz: 16_000, pcm: new Int16Array(16_000) };

test.each([
  [true, 1],
  [false, 0],
])('hold music that comes late is played if the hold still lasts: %s', async (lasts, times) => {
  const late = Promise.withResolvers<SoundLoop | undefined>();
  const played: unknown[] = [];
  const sounds = new CallSounds({
    mixer: { play: (sound: unknown) => played.push(sound) } as unknown as BackgroundMixer,
    sounds: {
      ambience: async () => undefined,
      holdMusic: () => late.promise,
      fromUrl: async () => undefined,
    },
    sampleRateHz: 16_000,
    onChange: () => undefined,
  });
  sounds.hold({ on: true });
  if (!lasts) sounds.hold({ on: false });
  late.resolve(music);
  await new Promise(setImmediate);
  expect(played).toHaveLength(times);
});
