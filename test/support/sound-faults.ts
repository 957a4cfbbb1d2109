import { HeardWords } from './heard-words.ts';
import { readRecording } from './recordings.ts';
import { RATE_HZ, type SoundCall, soundingSpans } from './sound-call.ts';
import { echoingRoom } from './sound-rooms.ts';
import { disturbance, QUESTION, type Scenario, withCall } from './sound-scenarios.ts';
import { cut, recorded, sound, type Utterance } from './utterance.ts';

const ANSWER = 'It is behind the old railway station.';
/** The rate of what the voice `openai` gives. */
const OPENAI_RATE_HZ = 24_000;
const speaks = (...vendors: readonly string[]) => ({
  config: {
    speech: { stt: { vendor: 'deepgram' }, ttsData: vendors.map((vendor) => ({ vendor })) },
  },
});

/** The same sound with other words: the recogniser is told what it hears. */
function saying(text: string): Utterance {
  const { pcm, speechFromMs, speechToMs } = QUESTION();
  const { words } = sound(
    pcm.subarray(0, Math.round(((speechToMs - speechFromMs) * RATE_HZ) / 1000)),
    RATE_HZ,
    text,
  );
  const said = words.map(({ text: word, startMs, endMs }) => ({
    text: word,
    startMs: startMs + speechFromMs,
    endMs: endMs + speechFromMs,
  }));
  return { pcm, speechFromMs, speechToMs, words: said };
}

/** W1: the caller asks before the welcome sounds, because its voice is slow. */
const slowWelcome: Scenario = {
  name: 'a question before a slow welcome',
  async run(stage) {
    const { name } = slowWelcome;
    const welcomeMessage = 'Welcome to the slow desk.';
    stage.perform(welcomeMessage, { afterMs: 3500 });
    const assistant = {
      ...speaks('openai'),
      welcomeMessageMode: 'assistant-speaks-first',
      welcomeMessage,
    };
    return withCall(stage, { name, replies: [ANSWER], assistant }, async (call) => {
      const asked = call.say(saying('Where are you located?'), 300);
      const answeredMs = await call.replyAfter(0);
      await call.quietFor(1500, answeredMs);
      return { name, answerMs: answeredMs - asked.speechToMs };
    });
  },
};

/** K1, E6: the voice gives the beginning of a reply, and then nothing. */
const stalledVoice: Scenario = {
  name: 'a voice that stalls, beside another',
  async run(stage) {
    const { name } = stalledVoice;
    const stalls = 'We are open from nine to five on every day of the week but Sunday.';
    stage.perform(stalls, { fault: 'hang' });
    const replies = [stalls, ANSWER, ANSWER];
    const assistant = speaks('openai', 'offline');
    return withCall(stage, { name, replies, assistant }, async (call) => {
      const first = call.say(saying('When are you open?'));
      const began = await call.replyAfter(first.speechToMs);
      const mute = await call.quietFor(3000, began);
      const again = call.say(saying('Where are you located?'), mute + 3000);
      const answeredMs = await call.replyAfter(again.speechToMs);
      await call.quietFor(1500, answeredMs);
      return { name, answerMs: answeredMs - again.speechToMs };
    });
  },
};

/** E6: no second voice, and the assistant is to give up after two such replies. */
const mute: Scenario = {
  name: 'a voice that stalls twice',
  async run(stage) {
    const { name } = mute;
    const stalls = [
      'The first answer is a long one that nobody hears.',
      'So is the second answer, at least as long.',
    ];
    for (const text of stalls) stage.perform(text, { fault: 'hang' });
    const assistant = { ...speaks('openai'), maxConsecutiveTtsFailures: 2 };
    return withCall(stage, { name, replies: stalls, assistant }, async (call) => {
      for (const question of ['When are you open?', 'Where are you located?']) {
        const said = call.say(saying(question), (await call.quietFor(3000, 0)) + 3000);
        await call.replyAfter(said.speechToMs);
      }
      await call.hungUp;
      return { name };
    });
  },
};

/** N6: what ends like a hesitation, and is a closed sentence by its mark. */
const closedSentence = (text: string): Scenario => {
  const name = `"${text}"`;
  return {
    name,
    async run(stage) {
      return withCall(stage, { name, replies: [ANSWER] }, async (call) => {
        const asked = call.say(saying(text));
        const answeredMs = await call.replyAfter(asked.speechToMs);
        await call.quietFor(1000, answeredMs);
        return { name, answerMs: answeredMs - asked.speechToMs };
      });
    },
  };
};

/** C9: the loudspeaker's sound comes back and is written down; the voice tells no times of its words. */
const echoWithoutWordTimes: Scenario = {
  name: 'echo of a voice without word times',
  async run(stage) {
    const { name } = echoWithoutWordTimes;
    const file = 'reading-cold-hearted.wav';
    const reading = recorded(file, RATE_HZ);
    const text = 'Unless to be rather cold hearted and rather selfish is to be ill-disposed.';
    stage.perform(text, { pcm: readRecording(file, OPENAI_RATE_HZ) });
    let dialled: SoundCall | undefined;
    const echo = new HeardWords((word) => dialled?.overhears([word]));
    echo.expect(reading);
    const options = {
      name,
      replies: [text, ANSWER],
      assistant: speaks('openai'),
      room: echoingRoom(-12, 120, echo),
    };
    return withCall(stage, options, async (call) => {
      dialled = call;
      const asked = call.say(QUESTION());
      const fromMs = await call.replyAfter(asked.speechToMs);
      await call.quietFor(2500, fromMs);
      const sounded = soundingSpans(call.heard, fromMs, 400);
      const soundedMs = sounded.reduce((sum, span) => sum + span.toMs - span.fromMs, 0);
      const lengthMs = reading.speechToMs - reading.speechFromMs;
      return {
        name,
        answerMs: fromMs - asked.speechToMs,
        lost: soundedMs < lengthMs - 500,
      };
    });
  },
};

/** As long as a person takes for two words. */
const UNLISTED_MS = 600;

/** B16: ways of saying "go on" that stand in no list. */
function unlisted(text: string): Scenario {
  const voice = recorded('five-five.wav', RATE_HZ);
  const brief = cut(voice, voice.speechFromMs, voice.speechFromMs + UNLISTED_MS, RATE_HZ);
  return disturbance(`"${text}"`, () => sound(brief.pcm, RATE_HZ, text));
}

export const CLOSED = ['Are you open on Sundays as well?', 'I think so.'].map(closedSentence);
export const UNLISTED = ['fair dos', 'well fancy', 'there you go'].map(unlisted);

export const FAULTS: readonly Scenario[] = [
  slowWelcome,
  stalledVoice,
  mute,
  echoWithoutWordTimes,
  ...CLOSED,
  ...UNLISTED,
];
