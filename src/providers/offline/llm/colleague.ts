import type { Intent } from './intent.ts';
import type { Language } from './language.ts';
import { wordsOf } from './words.ts';

/** The tools with which the assistant reports the decision of a colleague who was told about a waiting caller. */
const ACCEPT = 'accept';
const DECLINE = 'decline';
const VOICEMAIL = 'voicemail';

interface Signs {
  readonly accepts: readonly string[];
  readonly declines: readonly string[];
  readonly isMachine: readonly string[];
}

/** In the form that `wordsOf` returns; a machine is recognised by words that no person says on the telephone. */
const SIGNS: Readonly<Record<Language, Signs>> = {
  en: {
    accepts: [
      'put them',
      'put him',
      'put her',
      'through',
      'connect',
      'go ahead',
      'take it',
      'take the call',
    ],
    declines: ['not now', 'cannot', "can't", 'busy', 'later', 'no time', 'in a meeting'],
    isMachine: [
      'leave a message',
      'after the tone',
      'not available',
      'unavailable',
      'voicemail',
      'mailbox',
    ],
  },
  fr: {
    accepts: ['passez le', 'passez la', 'passez moi', 'je prends', 'allez y'],
    declines: ['pas maintenant', 'plus tard', 'occupe', 'en reunion', 'je ne peux pas'],
    isMachine: ['laissez un message', 'apres le bip', 'messagerie', 'pas disponible'],
  },
  de: {
    accepts: ['durchstellen', 'stellen sie', 'verbinden', 'ich nehme', 'gerne'],
    declines: ['nicht jetzt', 'spater', 'keine zeit', 'kann nicht', 'geht nicht', 'besprechung'],
    isMachine: [
      'hinterlassen sie',
      'nachricht nach',
      'nach dem ton',
      'nicht erreichbar',
      'mailbox',
    ],
  },
  es: {
    accepts: ['paselo', 'pasela', 'pase la llamada', 'lo atiendo', 'la atiendo', 'adelante'],
    declines: ['ahora no', 'mas tarde', 'ocupado', 'ocupada', 'no puedo', 'en una reunion'],
    isMachine: ['deje un mensaje', 'despues del tono', 'buzon', 'no esta disponible'],
  },
};

/** True if the other party is a colleague being briefed about a waiting caller. */
export function isBriefing(tools: readonly string[]): boolean {
  return tools.includes(ACCEPT) && tools.includes(DECLINE);
}

/** The tool that reports the colleague's decision; undefined while they have not decided. */
export function decideForColleague(
  said: string,
  intent: Intent,
  language: Language,
): string | undefined {
  const text = ` ${wordsOf(said).join(' ')} `;
  const holds = (signs: readonly string[]) => signs.some((sign) => text.includes(` ${sign} `));
  const { accepts, declines, isMachine } = SIGNS[language];
  if (holds(isMachine)) return VOICEMAIL;
  if (intent === 'no' || holds(declines)) return DECLINE;
  if (intent === 'yes' || holds(accepts)) return ACCEPT;
  const [first = ''] = wordsOf(said);
  return YES[language].includes(first) ? ACCEPT : undefined;
}

/** Words at the start of an answer that continues with other words. */
const YES: Readonly<Record<Language, readonly string[]>> = {
  en: ['yes', 'yeah', 'sure', 'okay', 'ok'],
  fr: ['oui', 'ouais', "d'accord"],
  de: ['ja', 'klar', 'okay', 'ok'],
  es: ['si', 'claro', 'vale'],
};
