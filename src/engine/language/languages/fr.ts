import { type LanguageData, phrases } from './language-data.ts';

export const french: LanguageData = {
  tag: 'fr',
  backchannels: phrases(`
    oui, ouais, oui oui, d'accord, ok, okay, hm, hmm, mm, mhm, mm-hm, ah, ah oui, ah bon, je vois,
    bien, très bien, entendu, bien sûr, voilà, exactement, c'est ça, compris, parfait, super, merci,
    vraiment, tout à fait, ouais ouais, ah ok, oh, hum, hum hum, génial, excellent, impeccable,
    nickel, c'est bien, c'est noté, noté, c'est bon, ça marche, ça me va, pas de problème,
    pas de souci, j'ai compris, je comprends, effectivement, absolument, certainement, évidemment,
    intéressant, ah d'accord, ah je vois, bonne idée, formidable, magnifique, c'est clair,
    c'est vrai, merci beaucoup, ok ok, okay super, carrément, volontiers, eh oui, bon, bon d'accord,
    tant mieux, pas mal, pas possible, mais oui, pas étonnant, ça ne m'étonne pas, aucun souci,
    aucun problème, c'est pas faux, c'est pas vrai, n'est-ce pas, pas de soucis, pas bête,
    rien d'étonnant, ça n'étonne pas`),
  stopPhrases: phrases(`
    stop, attendez, attends, non, arrêtez, arrête, pardon, excusez-moi, un instant, une seconde,
    une minute, en fait, écoutez, silence, ça suffit, annulez, allô, désolé, un moment,
    deux secondes, deux minutes, une petite seconde, halte, assez, taisez-vous, chut, pause,
    doucement, excuse-moi, permettez, laissez-moi, je vous arrête, je vous coupe, annule, écoute,
    pardonnez-moi, dites donc, minute, on arrête, moins vite, attendez voir, holà, une chose,
    une question, temps mort, un petit instant, je vous interromps, je peux, tout doux,
    arrêtez-vous, arrête-toi, une petite minute, hé, hep, dites, dis donc, coupez, monsieur, madame,
    juste, désolée, juste une seconde, excuse, oubliez, oublie, tant pis, peu importe, passons,
    passez, revenez, reculez, bref, abrégez, résumez, pas si vite, moins fort, plus fort`),
  refusals: phrases(`
    ne, n'est, pas, non, jamais, rien, plus tard, mais, faux, erreur, autre, plutôt, encore,
    répétez, répéter, répète, suivant, retour, aide, aidez, quelqu'un, conseiller, humain,
    personne, plus fort, moins vite, plus vite, lentement, vite, laissez, laisse, oubliez,
    changez, taisez, tais, finissez, je veux, je voudrais, j'aimerais, j'ai, il me faut, donnez,
    dites, pouvez-vous, puis-je, mon, ma, mes, s'il vous plaît, au revoir, trop long, trop vite,
    et, ou, parce que, si, quand, pour`),
  stopStems: phrases(
    'arrêt, attend, stop, coup, interrom, laiss, excus, pardon, patient, suffi, assez, cess, écout, silenc, annul, minute, seconde, instant',
  ),
  hesitations: phrases('euh, heu, hum'),
  markers: phrases(`
    ben, bah, alors, donc, eh bien, genre, enfin, disons, voyons, tu vois, vous voyez, hein`),
  timeouts: phrases(`
    attendez, attends, attendez voir, un instant, une seconde, une minute, un moment, voyons voir,
    laissez-moi réfléchir, laissez-moi voir, comment dire, comment dirais-je, je veux dire,
    non pardon, pardon non, enfin non, ou plutôt, je cherche, je regarde`),
  openEnders: phrases(`
    et, mais, ou, parce que, car, donc, si, quand, que, qui, dont, où, puisque, comme, lorsque,
    le, la, les, l, un, une, des, du, de, d, mon, ma, mes, votre, vos, notre, nos, son, sa, ses,
    leur, à, au, aux, en, dans, sur, sous, pour, par, avec, sans, chez, entre, vers, je, il,
    elle, nous, vous, c'est, je suis, je voudrais, j'aimerais, je veux, j'ai, est-ce que,
    pouvez-vous, mon nom est, je m'appelle, très, aussi, peut-être, ce, cette, ces, numéro`),
  mayClose: phrases(`
    donc, aussi, peut-être, avec, pour, sans, elle, nous, vous, quand, où, si, je veux,
    numéro`),
  digits: phrases('zéro, un, une, deux, trois, quatre, cinq, six, sept, huit, neuf'),
  phoneDigits: 10,
  numbers: phrases(`
    zéro, un, une, deux, trois, quatre, cinq, six, sept, huit, neuf, dix, onze, douze, treize,
    quatorze, quinze, seize, dix-sept, dix-huit, dix-neuf, vingt, trente, quarante, cinquante,
    soixante, soixante-dix, quatre-vingt, quatre-vingts, quatre-vingt-dix, cent, cents, mille,
    million, virgule, plus, tiret`),
  machinePhrases: phrases(`
    laissez un message, laisser un message, laissez votre message, laisser votre message,
    après le bip, après le signal sonore, n'est pas disponible, ne suis pas disponible,
    messagerie, répondeur, boîte vocale, vous êtes bien chez, vous êtes bien sur,
    le numéro que vous avez, tapez un, tapez 1, appuyez sur`),
  holdPhrases: phrases(`
    ne quittez pas, veuillez patienter, restez en ligne, merci de patienter,
    votre appel est important, un conseiller va`),
  greetings: phrases(`
    bonjour, bonsoir, allô, salut, coucou, bonjour madame, bonjour monsieur, oui, oui bonjour,
    oui allô, il y a quelqu'un, vous m'entendez`),
  shortAnswers: phrases(`
    oui, ouais, non, si, d'accord, ok, bien sûr, exactement, c'est ça, tout à fait, absolument,
    oui merci, non merci, merci, s'il vous plaît, oui s'il vous plaît, pas vraiment, peut-être,
    jamais, c'est tout, parfait, volontiers`),
  yesNoStarts: phrases(`
    est-ce que, est-ce, êtes-vous, avez-vous, voulez-vous, pouvez-vous, souhaitez-vous, puis-je,
    dois-je, vous voulez, vous avez, vous êtes, c'est bien, n'est-ce pas, d'accord`),
  questionStarts: phrases(`
    qui, quand, où, comment, pourquoi, combien, quel, quelle, quels, quelles, est-ce que, est-ce,
    qu'est-ce que, avez-vous, pouvez-vous, puis-je, à quelle, quoi`),
  dictation: {
    phone: phrases(
      'numéro de téléphone, numéro de portable, numéro de mobile, votre numéro, vous joindre',
    ),
    card: phrases('numéro de carte, carte bancaire, carte de crédit, iban, numéro de compte'),
    code: phrases(`
      code, code postal, numéro de commande, numéro de dossier, numéro de réservation,
      numéro de client, référence, numéro de contrat, numéro de suivi, numéro de sécurité sociale`),
    email: phrases('email, e-mail, mail, adresse électronique, courriel'),
    birth: phrases('date de naissance, né, née'),
    date: phrases('quelle date, quel jour'),
    spelling: phrases('épeler, épelez'),
    asking: phrases(`
      quel, quelle, quels, pouvez-vous, pourriez-vous, donnez, donner, dites, dire, indiquez,
      indiquer, puis-je, s'il vous plaît, épeler, épelez, besoin, communiquer, répéter`),
  },
  announcing: phrases(`
    rappeler, rappelez-moi, appeler, appelez-moi, joindre, joignable, mon numéro, le numéro,
    mon portable, mon téléphone`),
  emailAt: phrases('arobase, at'),
  emailDot: phrases('point'),
  months: phrases(`
    janvier, février, mars, avril, mai, juin, juillet, août, septembre, octobre, novembre,
    décembre`),
  takenOver: 'Désolé, la ligne a été coupée un instant.',
  lines: {
    apology: 'Désolé, un problème est survenu de mon côté. Pouvez-vous répéter ?',
    filler: "Un instant, s'il vous plaît.",
    notUnderstood: "Désolé, je n'ai pas compris.",
    technicalFarewell:
      "Désolé, je rencontre un problème technique et je dois mettre fin à l'appel. Au revoir.",
    transferring: "Je vous mets en relation. Un instant, s'il vous plaît.",
    stopWaiting:
      "J'essaie toujours de joindre quelqu'un. Dites stop si vous préférez ne pas attendre.",
    callerWaiting: 'Un appel pour vous.',
    callerLeft: 'La personne a raccroché. Au revoir.',
    voicemail: 'Désolé de vous avoir manqué. Nous rappellerons plus tard. Au revoir.',
    backchannels: ['Mm-hm.', 'Oui.'],
    idle: [
      'Êtes-vous toujours là ?',
      'Je suis toujours là si vous avez besoin de quelque chose.',
      "M'entendez-vous ?",
    ],
    acknowledgements: ['Bien sûr.', "D'accord.", 'Oui, je vous écoute.'],
  },
};
