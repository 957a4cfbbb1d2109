import type { Language } from './language.ts';

/** The responder's fixed phrases. Offered questions are in curly quotes. */
export interface Phrases {
  readonly greeting: string;
  readonly welcomeBack: string;
  readonly thanks: string;
  readonly farewell: string;
  readonly askAgain: string;
  readonly nothingToRepeat: string;
  readonly goOn: string;
  readonly whichOne: string;
  readonly anythingElse: string;
  readonly unknown: string;
  /** Spoken after `unknown`. */
  readonly canAnswer: (questions: readonly string[]) => string;
  /** Spoken after `unknown`. */
  readonly canTellAbout: (topics: readonly string[]) => string;
  readonly notSure: (question: string) => string;
  readonly lookupFailed: string;
  readonly onlyKnowledge: string;
}

export const PHRASES: Readonly<Record<Language, Phrases>> = {
  en: {
    greeting: 'Hello! What would you like to know?',
    welcomeBack: 'Hello! What can I do for you?',
    thanks: 'You are welcome.',
    farewell: 'Goodbye!',
    askAgain: 'Sorry, I did not catch that. Could you say it again?',
    nothingToRepeat: 'I have not said anything yet. What would you like to know?',
    goOn: 'Go ahead, what would you like to know?',
    whichOne: 'Which of the two, the first or the second?',
    anythingElse: 'All right. Is there anything else you would like to know?',
    unknown: 'I am sorry, I do not know that.',
    canAnswer: (questions) => `You can ask me, for example: ${questions.join(', or: ')}`,
    canTellAbout: (topics) => `I can tell you about: ${topics.join(', or: ')}`,
    notSure: (question) => `I am not sure I understood. Would you like to know: ${question}`,
    lookupFailed: 'I am sorry, I cannot look that up right now.',
    onlyKnowledge:
      'I am sorry, I can only answer questions from a knowledge base, and none is connected to this assistant.',
  },
  fr: {
    greeting: 'Bonjour ! Que souhaitez-vous savoir ?',
    welcomeBack: 'Bonjour ! Que puis-je faire pour vous ?',
    thanks: 'Je vous en prie.',
    farewell: 'Au revoir !',
    askAgain: 'Pardon, je n’ai pas bien compris. Pouvez-vous répéter ?',
    nothingToRepeat: 'Je n’ai encore rien dit. Que souhaitez-vous savoir ?',
    goOn: 'Je vous écoute, que souhaitez-vous savoir ?',
    whichOne: 'Laquelle des deux, la première ou la deuxième ?',
    anythingElse: 'Très bien. Souhaitez-vous savoir autre chose ?',
    unknown: 'Désolé, je ne le sais pas.',
    canAnswer: (questions) => `Vous pouvez me demander, par exemple : ${questions.join(', ou : ')}`,
    canTellAbout: (topics) => `Je peux vous renseigner sur : ${topics.join(', ou : ')}`,
    notSure: (question) =>
      `Je ne suis pas sûr d’avoir compris. Souhaitez-vous savoir : ${question}`,
    lookupFailed: 'Désolé, je ne peux pas chercher cela pour le moment.',
    onlyKnowledge:
      'Désolé, je ne réponds qu’à partir d’une base de connaissances, et cet assistant n’en a pas.',
  },
  de: {
    greeting: 'Hallo! Was möchten Sie wissen?',
    welcomeBack: 'Hallo! Was kann ich für Sie tun?',
    thanks: 'Gern geschehen.',
    farewell: 'Auf Wiederhören!',
    askAgain: 'Entschuldigung, das habe ich nicht verstanden. Können Sie es wiederholen?',
    nothingToRepeat: 'Ich habe noch nichts gesagt. Was möchten Sie wissen?',
    goOn: 'Bitte, was möchten Sie wissen?',
    whichOne: 'Welche von beiden, die erste oder die zweite?',
    anythingElse: 'In Ordnung. Möchten Sie noch etwas wissen?',
    unknown: 'Das weiß ich leider nicht.',
    canAnswer: (questions) => `Sie können mich zum Beispiel fragen: ${questions.join(', oder: ')}`,
    canTellAbout: (topics) => `Auskunft geben kann ich zu: ${topics.join(', oder: ')}`,
    notSure: (question) =>
      `Ich bin nicht sicher, ob ich Sie verstanden habe. Möchten Sie wissen: ${question}`,
    lookupFailed: 'Das kann ich im Moment leider nicht nachsehen.',
    onlyKnowledge:
      'Ich kann leider nur aus einer Wissensdatenbank antworten, und dieser Assistent hat keine.',
  },
  es: {
    greeting: '¡Hola! ¿Qué le gustaría saber?',
    welcomeBack: '¡Hola! ¿Qué puedo hacer por usted?',
    thanks: 'De nada.',
    farewell: '¡Adiós!',
    askAgain: 'Perdone, no le he entendido. ¿Puede repetirlo?',
    nothingToRepeat: 'Todavía no he dicho nada. ¿Qué le gustaría saber?',
    goOn: 'Adelante, ¿qué le gustaría saber?',
    whichOne: '¿Cuál de las dos, la primera o la segunda?',
    anythingElse: 'De acuerdo. ¿Le gustaría saber algo más?',
    unknown: 'Lo siento, eso no lo sé.',
    canAnswer: (questions) => `Puede preguntarme, por ejemplo: ${questions.join(', o: ')}`,
    canTellAbout: (topics) => `Puedo informarle sobre: ${topics.join(', o: ')}`,
    notSure: (question) => `No estoy seguro de haberle entendido. ¿Le gustaría saber: ${question}`,
    lookupFailed: 'Lo siento, ahora mismo no puedo consultarlo.',
    onlyKnowledge:
      'Lo siento, solo puedo responder a partir de una base de conocimientos, y este asistente no tiene ninguna.',
  },
};
