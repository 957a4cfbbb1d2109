import type { Language } from './language.ts';

/** The kinds of utterances that need no knowledge base. */
export type SmallTalk =
  | 'greeting'
  | 'thanks'
  | 'goodbye'
  | 'repeat'
  | 'yes'
  | 'no'
  | 'first'
  | 'second';

function phrases(list: string): readonly string[] {
  return list.split(',').map((phrase) => phrase.trim());
}

/** Whole phrases in the form that `wordsOf` returns: without accents and punctuation. */
export const SMALL_TALK: Readonly<
  Record<Language, Readonly<Record<SmallTalk, readonly string[]>>>
> = {
  en: {
    greeting: phrases(`
      hello, hi, hey, good morning, good afternoon, good evening, hello there, hi there,
      how are you
    `),
    thanks: phrases(
      'thanks, thank you, thanks a lot, thank you very much, thank you so much, many thanks',
    ),
    goodbye: phrases(`
      goodbye, good bye, bye, bye bye, see you, that's all, that is all, that's it,
      that's everything, have a nice day, hang up, end the call, i'm done, nothing else
    `),
    repeat: phrases(`
      repeat, repeat that, repeat please, say that again, say it again, again, once more,
      pardon, sorry, what, what did you say, come again, excuse me, can you repeat,
      can you repeat that, could you repeat that, can you say that again,
      could you say that again, i didn't catch that, i didn't hear you
    `),
    yes: phrases(`
      yes, yeah, yep, sure, okay, ok, of course, right, correct, exactly, go ahead,
      yes i would, yes i do, i would, absolutely, that one, great, perfect, good, all right,
      alright
    `),
    no: phrases("no, nope, not really, no i would not, i don't, neither, never mind, not that"),
    first: phrases('the first, first, the first one, first one, one, number one'),
    second: phrases(`
      the second, second, the second one, second one, two, number two, the other one,
      the last one
    `),
  },
  fr: {
    greeting: phrases('bonjour, bonsoir, salut, allo, comment allez vous, ca va, coucou'),
    thanks: phrases('merci, merci beaucoup, merci bien, je vous remercie'),
    goodbye: phrases(`
      au revoir, a bientot, bonne journee, bonne soiree, ciao, c'est tout, ce sera tout,
      rien d autre, rien d'autre, raccrochez
    `),
    repeat: phrases(`
      repetez, pouvez vous repeter, vous pouvez repeter, encore une fois, pardon, comment,
      quoi, qu'avez vous dit, je n'ai pas compris, je n'ai pas entendu
    `),
    yes: phrases(`
      oui, ouais, d'accord, bien sur, exactement, tout a fait, ok, volontiers, allez y,
      parfait, super, tres bien
    `),
    no: phrases('non, pas vraiment, pas du tout, aucune, ni l un ni l autre, tant pis'),
    first: phrases('la premiere, le premier, premiere, premier, la une, un'),
    second: phrases("la deuxieme, le deuxieme, la seconde, le second, deuxieme, deux, l'autre"),
  },
  de: {
    greeting: phrases(`
      hallo, guten tag, guten morgen, guten abend, gruss gott, hi, servus, moin,
      wie geht es ihnen
    `),
    thanks: phrases('danke, danke schon, danke sehr, vielen dank, besten dank, herzlichen dank'),
    goodbye: phrases(`
      auf wiederhoren, auf wiedersehen, tschuss, tschus, ciao, bis bald, schonen tag,
      schonen tag noch, das war alles, das war's, das ist alles, sonst nichts, nichts weiter,
      auflegen
    `),
    repeat: phrases(`
      wiederholen, noch einmal, nochmal, noch mal, wie bitte, bitte wiederholen,
      was haben sie gesagt, konnen sie das wiederholen, konnten sie das wiederholen,
      das habe ich nicht verstanden, was
    `),
    yes: phrases(`
      ja, jawohl, gern, gerne, genau, richtig, okay, ok, naturlich, sicher, klar, super,
      perfekt, prima, gut
    `),
    no: phrases('nein, ne, nee, nicht wirklich, keine, keines, weder noch, lieber nicht, egal'),
    first: phrases('die erste, das erste, der erste, erste, eins, erstens'),
    second: phrases('die zweite, das zweite, der zweite, zweite, zwei, zweitens, die andere'),
  },
  es: {
    greeting: phrases(
      'hola, buenos dias, buenas tardes, buenas noches, buenas, que tal, como esta',
    ),
    thanks: phrases('gracias, muchas gracias, mil gracias, se lo agradezco'),
    goodbye: phrases(`
      adios, hasta luego, hasta pronto, chao, eso es todo, nada mas, cuelgue,
      que tenga un buen dia
    `),
    repeat: phrases(`
      repita, puede repetir, puede repetirlo, otra vez, una vez mas, perdon, como, que,
      que ha dicho, no le he entendido, no he entendido
    `),
    yes: phrases(`
      si, claro, por supuesto, exacto, vale, de acuerdo, ok, adelante, correcto, perfecto,
      genial, muy bien
    `),
    no: phrases('no, en realidad no, ninguna, ninguno, da igual, ni una ni otra'),
    first: phrases('la primera, el primero, primera, primero, uno, una'),
    second: phrases('la segunda, el segundo, segunda, segundo, dos, la otra'),
  },
};

/** Words said with small talk, or alone. */
export const FILLERS: Readonly<Record<Language, readonly string[]>> = {
  en: 'um uh er erm hm hmm mm mhm ah oh well so please and but then now'.split(' '),
  fr: "euh hm hum ah oh ben bah alors et mais donc s'il vous plait".split(' '),
  de: 'ah ahm hm hmm oh ach also und aber bitte doch mal na'.split(' '),
  es: 'eh em hm mm ah oh pues bueno y pero entonces por favor'.split(' '),
};
