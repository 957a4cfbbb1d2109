import { type LanguageData, phrases } from './language-data.ts';

export const german: LanguageData = {
  tag: 'de',
  backchannels: phrases(`
    ja, ja ja, jaja, jo, ok, okay, gut, genau, mhm, mm-hm, mm, hm, hmm, aha, ah, ach so, achso, ach,
    verstehe, ich verstehe, alles klar, klar, richtig, stimmt, in ordnung, super, prima, danke,
    natürlich, sehr gut, echt, wirklich, perfekt, passt, wunderbar, toll, klasse, schön, sehr schön,
    ausgezeichnet, hervorragend, interessant, absolut, auf jeden fall, selbstverständlich, eben,
    eben ja, ja genau, ja klar, ja gut, so ist es, macht sinn, das macht sinn, ergibt sinn,
    klingt gut, das klingt gut, hört sich gut an, gern, gerne, jawohl, jep, jup, oh, ach ja,
    ach wirklich, kein problem, vielen dank, danke schön, weiß ich, hab ich verstanden, verstanden,
    okay gut, einverstanden, sicher, bestimmt, gut zu wissen, soso, nicht schlecht, kein wunder,
    keine frage, kein thema, kein ding, nicht möglich, was sie nicht sagen, das gibt's nicht,
    das gibt es nicht, gibt's ja nicht, aber klar, aber sicher, aber natürlich, doch doch,
    ist das so, ist das wahr, nicht wahr, na bitte, aber hallo, ach was, so was, sowas, na so was,
    was für ein, was für eine, ach nein, oh nein, sag bloß, sieh mal an, schau mal an, aber gerne,
    aber gern`),
  stopPhrases: phrases(`
    stopp, stop, halt, warten sie, warte, moment, moment mal, einen moment, nein, nee,
    entschuldigung, eigentlich, sekunde, hören sie, ruhe, genug, abbrechen, hallo, doch nicht,
    wie bitte, das reicht, augenblick, einen augenblick, wart mal, warte mal, warten, pause,
    langsam, schluss, aufhören, hör auf, hören sie auf, still, verzeihung, pardon,
    entschuldigen sie, darf ich, es reicht, nicht so schnell, anhalten, ganz kurz, kurz mal,
    eine frage, kurze frage, nur kurz, stopp mal, halt mal, moment bitte, warten sie mal,
    entschuldige, verzeihen sie, sorry, tut mir leid, bitte nicht, einen kleinen moment`),
  refusals: phrases(`
    nicht, nichts, kein, keine, keinen, nie, niemals, nein, doch, aber, falsch, fehler, anders,
    andere, anderen, anderes, stattdessen, noch mal, nochmal, wiederholen, weiter, zurück,
    nächste, nächster, hilfe, helfen, mensch, mitarbeiter, jemand, jemanden, person, lauter, leiser,
    langsamer, langsam, schneller, kürzer, vergessen, ändern, lassen, lass, schluss, aufhören, hör,
    hören, ich will, ich möchte, ich brauche, ich habe, ich hätte, kann ich, darf ich, können sie,
    könnten sie, geben, sagen, zeigen, mein, meine, meinen, bitte, tschüss, wiederhören, zu lang,
    zu schnell, und, oder, weil, wenn, für`),
  stopStems: phrases(
    'wart, stopp, aufhör, unterbr, entschuld, verzeih, moment, reich, schweig, hör, sekund, augenblick, abbrech, pardon',
  ),
  hesitations: phrases('äh, ähm, öh, hm, mm'),
  markers: phrases('also, na ja, naja, halt, sozusagen, quasi, sagen wir, mal sehen, tja'),
  timeouts: phrases(`
    moment, moment mal, einen moment, sekunde, eine sekunde, augenblick, warten sie, warte mal,
    wart mal, mal sehen, mal schauen, mal überlegen, lassen sie mich überlegen,
    lassen sie mich schauen, wie soll ich sagen, wie sagt man, ich meine, nein entschuldigung,
    entschuldigung nein, nein warte, beziehungsweise, besser gesagt, oder vielmehr`),
  openEnders: phrases(`
    und, aber, oder, weil, denn, wenn, als, dass, ob, damit, bevor, nachdem, während, sondern,
    der, die, das, den, dem, des, ein, eine, einen, einem, einer, eines, mein, meine, meinen,
    meinem, meiner, ihr, ihre, ihren, unser, unsere, sein, seine, in, im, an, am, auf, für, mit,
    ohne, von, vom, zu, zum, zur, bei, beim, nach, über, unter, aus, bis, um, gegen, durch, ich,
    wir, er, sie, ich bin, ich habe, ich möchte, ich würde, ich will, ich brauche, können sie,
    könnten sie, kann ich, mein name ist, sehr, auch, vielleicht, nicht, dieser, diese, dieses,
    nummer`),
  mayClose: phrases(`
    an, auf, aus, zu, mit, nach, über, unter, um, bei, durch, gegen, ohne, bis, nicht, auch,
    vielleicht, sehr, sie, ihr, er, wir, ich, sein, das, die, den, der, eine, einen, meine,
    meiner, meinen, unser, ich will,
    nummer`),
  digits: phrases('null, eins, ein, zwei, zwo, drei, vier, fünf, sechs, sieben, acht, neun'),
  phoneDigits: 10,
  numbers: phrases(`
    null, eins, ein, zwei, zwo, drei, vier, fünf, sechs, sieben, acht, neun, zehn, elf, zwölf,
    dreizehn, vierzehn, fünfzehn, sechzehn, siebzehn, achtzehn, neunzehn, zwanzig, dreißig,
    vierzig, fünfzig, sechzig, siebzig, achtzig, neunzig, hundert, tausend, million, doppel,
    komma, plus, strich`),
  machinePhrases: phrases(`
    nachricht hinterlassen, hinterlassen sie, nach dem ton, nach dem piepton, nach dem signalton,
    nicht erreichbar, nicht zu erreichen, mailbox, anrufbeantworter, sprachbox,
    der gewünschte gesprächspartner, die gewünschte rufnummer, drücken sie die`),
  holdPhrases: phrases(`
    bleiben sie dran, bitte bleiben sie in der leitung, einen moment bitte ich verbinde,
    bitte warten sie, der nächste freie mitarbeiter, bitte legen sie nicht auf,
    in der warteschleife`),
  greetings: phrases(`
    hallo, guten tag, guten morgen, guten abend, hi, hey, servus, moin, grüß gott, grüezi, ja,
    ja hallo, ja bitte, ist da jemand, hören sie mich`),
  shortAnswers: phrases(`
    ja, nein, nee, doch, genau, richtig, stimmt, klar, natürlich, gerne, ja gerne, ja bitte,
    nein danke, danke, bitte, okay, ok, in ordnung, auf jeden fall, nicht wirklich, vielleicht,
    niemals, das war's, das war alles, alles klar`),
  yesNoStarts: phrases(`
    ist, sind, war, waren, haben, hat, hatten, können, kann, könnten, möchten, wollen, soll,
    sollen, darf, dürfen, werden, wird, passt, stimmt, brauchen, gibt, richtig, in ordnung`),
  questionStarts: phrases(`
    was, wo, wann, wer, wie, warum, wieso, welche, welcher, welches, wieviel, wohin, woher, ist,
    sind, haben sie, können sie, könnten sie, kann ich, darf ich, gibt es`),
  dictation: {
    phone: phrases(
      'telefonnummer, handynummer, mobilnummer, rufnummer, ihre nummer, rückrufnummer',
    ),
    card: phrases('kartennummer, kreditkarte, kreditkartennummer, kontonummer, iban'),
    code: phrases(`
      code, pin, postleitzahl, bestellnummer, kundennummer, auftragsnummer, buchungsnummer,
      referenznummer, vertragsnummer, sendungsnummer, versicherungsnummer`),
    email: phrases('email, e-mail, e-mail-adresse, mailadresse'),
    birth: phrases('geburtsdatum, geburtstag, geboren'),
    date: phrases('welches datum, welcher tag, an welchem tag'),
    spelling: phrases('buchstabieren'),
    asking: phrases(`
      was, wie, welche, welches, welcher, können, könnten, nennen, geben, sagen, bitte, brauche,
      darf, buchstabieren, wiederholen, lautet`),
  },
  announcing: phrases(`
    erreichen, erreichbar, rufen sie mich, zurückrufen, anrufen, meine nummer, die nummer,
    meine handynummer, mein handy, mein telefon`),
  emailAt: phrases('at, ät, klammeraffe'),
  emailDot: phrases('punkt'),
  months: phrases(`
    januar, februar, märz, april, mai, juni, juli, august, september, oktober, november,
    dezember`),
  takenOver: 'Entschuldigung, die Leitung war kurz weg.',
  lines: {
    apology: 'Entschuldigung, bei mir ist etwas schiefgegangen. Können Sie das bitte wiederholen?',
    filler: 'Einen Moment, bitte.',
    notUnderstood: 'Entschuldigung, das habe ich nicht verstanden.',
    technicalFarewell:
      'Entschuldigung, ich habe technische Schwierigkeiten und muss das Gespräch beenden. Auf Wiederhören.',
    transferring: 'Ich verbinde Sie. Einen Moment, bitte.',
    stopWaiting:
      'Ich versuche noch, jemanden zu erreichen. Sagen Sie Stopp, wenn Sie nicht warten möchten.',
    callerWaiting: 'Ein Anruf für Sie.',
    callerLeft: 'Der Anrufer hat aufgelegt. Auf Wiederhören.',
    voicemail:
      'Schade, dass wir Sie nicht erreichen. Wir versuchen es später noch einmal. Auf Wiederhören.',
    backchannels: ['Mhm.', 'Ja.'],
    idle: [
      'Sind Sie noch da?',
      'Ich bin noch da, wenn Sie etwas brauchen.',
      'Können Sie mich hören?',
    ],
    acknowledgements: ['Natürlich.', 'Okay.', 'Ja, gerne.'],
  },
};
