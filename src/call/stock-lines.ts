import type { CallSettings } from './settings.ts';

interface StockLines {
  readonly lines: CallSettings['lines'];
  readonly idle: readonly string[];
}

const en: StockLines = {
  lines: {
    apology: 'Sorry, something went wrong on my side. Could you say that again?',
    filler: 'One moment, please.',
    notUnderstood: 'Sorry, I did not catch that.',
    technicalFarewell: 'I am sorry, I have a technical problem and must end this call. Goodbye.',
  },
  idle: ['Are you still there?', 'Can I help you with anything else?', 'Hello, can you hear me?'],
};

const fr: StockLines = {
  lines: {
    apology: 'Pardon, un problème est survenu de mon côté. Pouvez-vous répéter ?',
    filler: 'Un instant, je vous prie.',
    notUnderstood: "Pardon, je n'ai pas compris.",
    technicalFarewell: 'Je suis désolé, un problème technique me force à raccrocher. Au revoir.',
  },
  idle: ['Êtes-vous toujours là ?', 'Puis-je encore vous aider ?', "Allô, m'entendez-vous ?"],
};

const de: StockLines = {
  lines: {
    apology: 'Entschuldigung, bei mir ist etwas schiefgegangen. Können Sie das wiederholen?',
    filler: 'Einen Moment, bitte.',
    notUnderstood: 'Entschuldigung, das habe ich nicht verstanden.',
    technicalFarewell:
      'Es tut mir leid, wegen eines technischen Problems muss ich auflegen. Auf Wiederhören.',
  },
  idle: ['Sind Sie noch da?', 'Kann ich sonst noch helfen?', 'Hallo, hören Sie mich?'],
};

const es: StockLines = {
  lines: {
    apology: 'Perdón, algo ha fallado por mi parte. ¿Puede repetirlo?',
    filler: 'Un momento, por favor.',
    notUnderstood: 'Perdón, no le he entendido.',
    technicalFarewell: 'Lo siento, un problema técnico me obliga a colgar. Adiós.',
  },
  idle: ['¿Sigue ahí?', '¿Puedo ayudarle en algo más?', 'Hola, ¿me oye?'],
};

const LINES: Readonly<Record<string, StockLines>> = { en, fr, de, es };

/** What the assistant says on its own account, in the call's language where we have it. */
export function stockLines(language: string | undefined): StockLines {
  return LINES[(language ?? 'en').slice(0, 2).toLowerCase()] ?? en;
}
