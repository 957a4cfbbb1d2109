import { atLevel } from '../../../src/testing/spoken/caller-voice.ts';
import { RATE_HZ } from '../../support/sound-call.ts';
import type { Sounds } from '../../support/sound-scenarios.ts';
import { inARow, sound, type Utterance } from '../../support/utterance.ts';
import type { Random } from '../turns/random.ts';
import type { Act, Script } from '../turns/script.ts';
import type { Speaker } from './speaker.ts';

/** Voices of callers, and of people beside them; the assistant speaks with the default one. */
const CALLERS = ['rms', 'kal16'] as const;
const BESIDE = 'awb';

interface Deps {
  readonly speaker: Speaker;
  readonly sounds: Sounds;
  readonly random: Random;
}

/** The sound of an act as its microphone takes it, and the words that a recogniser makes of it. */
export async function soundOf(
  act: Act,
  script: Script,
  { speaker, sounds, random }: Deps,
): Promise<Utterance> {
  const levelDb = script.callerDb + (act.levelDb ?? 0);
  const voice = act.kind === 'side-talk' ? BESIDE : random.fork('voice', 0).pick(CALLERS);
  const parts: Utterance[] = [];
  for (const [i, { text, ms }] of act.parts.entries()) {
    const last = i === act.parts.length - 1;
    if (text === '') {
      const name = script.sort === 'cough' ? 'cough' : 'room-noise';
      const noise = sounds.get(name).subarray(0, (ms * RATE_HZ) / 1000);
      parts.push(sound(atLevel(noise, levelDb), RATE_HZ));
      continue;
    }
    const pcm = await speaker.speak(text, voice, levelDb);
    parts.push(sound(pcm, RATE_HZ, written(text, last, act, script, random.fork('stop', i))));
  }
  const gaps = act.parts.map(({ pauseMs }) => pauseMs);
  return parts.reduce((before, part, i) => inARow([before, part], gaps[i - 1] ?? 0, RATE_HZ));
}

function written(text: string, last: boolean, act: Act, script: Script, random: Random): string {
  const hearing = { ...script.hearing, ...act.hearing };
  if (hearing.text === 'none') return '';
  if (hearing.punctuation === 'none') return text.replaceAll(/[.,?!;:]+(?= |$)/g, '');
  if (last || !random.chance(hearing.fullStops ?? 0.25)) return text;
  return text.replace(/[.,;:…]*$/, '.');
}
