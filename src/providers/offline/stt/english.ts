import { englishSoundRules } from './english-sound-rules.ts';
import type { Language } from './language.ts';
import { createLetterToSound } from './letter-to-sound.ts';

const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

function spellNumber(value: number): string {
  if (value < 20) return UNITS[value] as string;
  if (value < 100) return joined(TENS[Math.floor(value / 10)] as string, value % 10);
  // Years and similar numbers are read in pairs.
  if (value >= 1100 && value < 2000 && value % 100 >= 10) {
    return `${spellNumber(Math.floor(value / 100))} ${spellNumber(value % 100)}`;
  }
  for (const [size, name] of [
    [1e6, 'million'],
    [1e3, 'thousand'],
    [100, 'hundred'],
  ] as const) {
    if (value >= size)
      return joined(`${spellNumber(Math.floor(value / size))} ${name}`, value % size);
  }
  return '';
}

function joined(head: string, rest: number): string {
  return rest === 0 ? head : `${head} ${spellNumber(rest)}`;
}

/** English as spoken on the telephone. */
export const english: Language = {
  tag: 'en',
  model: 'en-us',
  phones:
    'AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH'.split(
      ' ',
    ),
  letterToSound: createLetterToSound(englishSoundRules),
  greetings: ['Hello', 'Hi', 'Hey', 'Good morning', 'Good afternoon', 'Good evening'],
  hesitations: ['um', 'uh'],
  fillers: ['So', 'Okay', 'Well', 'Yes', 'Yeah'],
  asks: [
    'Can you tell me',
    'Could you tell me',
    'Please tell me',
    'Tell me',
    "I'd like to know",
    'I want to know',
    'I was wondering',
    'Do you know',
    'Excuse me',
    'Sorry',
    'Please',
  ],
  runningOn: new Set([
    'Can you tell me',
    'Could you tell me',
    'Please tell me',
    'Tell me',
    "I'd like to know",
    'I want to know',
    'I was wondering',
    'Do you know',
    'Please',
  ]),
  closings: ['please', 'thanks', 'thank you'],
  sayings: [
    'Yes.',
    'Yes, please.',
    'Yeah.',
    'Yep.',
    'Yes, I do.',
    'Sure.',
    'Of course.',
    'Okay.',
    'All right.',
    'Right.',
    'Correct.',
    "That's right.",
    'No.',
    'No, thank you.',
    'No, thanks.',
    'Not really.',
    'Not now.',
    "I don't know.",
    'Maybe.',
    'Uh-huh.',
    'Mm-hmm.',
    'I see.',
    'Got it.',
    'Thank you.',
    'Thanks.',
    'Thank you very much.',
    'Thanks a lot.',
    'Great, thank you.',
    'Hello.',
    'Hi.',
    'Hello?',
    'Good morning.',
    'Good afternoon.',
    'Good evening.',
    'Stop.',
    'Wait.',
    'Wait a minute.',
    'Hold on.',
    'Hang on.',
    'One moment.',
    'Just a moment.',
    'One second.',
    'Excuse me.',
    'Actually.',
    'Repeat that.',
    'Please repeat that.',
    'Can you repeat that?',
    'Could you repeat that, please?',
    'Say that again.',
    'Say that again, please.',
    'Pardon?',
    'Sorry?',
    'What did you say?',
    'Goodbye.',
    'Bye.',
    'Bye bye.',
    "That's all.",
    "That's all, thank you.",
    "No, that's all.",
    "No, that's all, thank you.",
    "That's it.",
    'Nothing else.',
    'Thank you, bye.',
    'Thanks, bye.',
    'Thank you, goodbye.',
    'Okay, bye.',
    'Help.',
  ],
  contractions: new Map([
    ["what's", 'what is'],
    ["where's", 'where is'],
    ["how's", 'how is'],
    ["who's", 'who is'],
    ["when's", 'when is'],
    ["that's", 'that is'],
    ["there's", 'there is'],
    ["here's", 'here is'],
    ["it's", 'it is'],
    ["i'm", 'i am'],
    ["i'd", 'i would'],
    ["i'll", 'i will'],
    ["i've", 'i have'],
    ["you're", 'you are'],
    ["we're", 'we are'],
    ["they're", 'they are'],
    ["don't", 'do not'],
    ["doesn't", 'does not'],
    ["didn't", 'did not'],
    ["isn't", 'is not'],
    ["aren't", 'are not'],
    ["can't", 'can not'],
    ['cannot', 'can not'],
    ["won't", 'will not'],
    ["couldn't", 'could not'],
  ]),
  lowerable: new Set(
    'what where when who whom whose which why how is are am was were do does did can could may might will would shall should has have had there the a an my your our in on at for from with please tell it this that these those'.split(
      ' ',
    ),
  ),
  interrogatives: new Set(
    'what where when who whom whose which why how is are am was were do does did can could may will would shall should has have had'.split(
      ' ',
    ),
  ),
  digits: new Map([
    ['zero', '0'],
    ['oh', '0'],
    ...UNITS.slice(1, 10).map((word, i) => [word, String(i + 1)] as const),
  ]),
  numberWords: [...UNITS.slice(10), ...TENS.slice(2), 'hundred', 'thousand', 'million'],
  signs: new Map([
    ['&', 'and'],
    ['%', 'percent'],
    ['+', 'plus'],
    ['@', 'at'],
    ['$', 'dollars'],
    ['€', 'euros'],
    ['£', 'pounds'],
    ['#', 'number'],
  ]),
  spellNumber,
};
