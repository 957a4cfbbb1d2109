import { type LanguageData, phrases } from './language-data.ts';

export const dutch: LanguageData = {
  tag: 'nl',
  backchannels: phrases(`
    ja, ja ja, jaja, jep, jawel, ok, oké, okee, okay, goed, heel goed, prima, fijn, mooi, leuk,
    klopt, dat klopt, precies, inderdaad, juist, zeker, zeker weten, natuurlijk, uiteraard,
    tuurlijk, snap ik, ik snap het, ik begrijp het, begrijp ik, begrepen, duidelijk, helder,
    ik zie het, ah, ah ja, ah oké, oh, o, o ja, oh ja, hm, hmm, mm, mhm, mm-hm, aha, uh-huh, echt,
    echt waar, echt waar joh, nou ja zeg, nou zeg, niet slecht, geen probleem, geen punt,
    geen zorgen, maakt niet uit, ik weet het, weet ik, dank je, dank u, dank u wel, dankjewel,
    bedankt, top, super, perfect, uitstekend, geweldig, fantastisch, interessant, akkoord,
    afgesproken, komt goed, dat is goed, dat is waar, zo is het, goed idee, absoluut, is goed, tof`),
  stopPhrases: phrases(`
    stop, ho, wacht, wacht even, wacht eens, momentje, een moment, een momentje, een ogenblik,
    ogenblikje, een seconde, een secondje, een minuutje, eventjes, nee, nee nee, sorry, pardon,
    excuseer, neem me niet kwalijk, eigenlijk, luister, luister eens, stil, stilte, genoeg,
    zo is het genoeg, hou op, houd op, annuleer, hallo, rustig, rustig aan, niet zo snel, langzamer,
    wat zegt u, mag ik, laat me, een vraag, één vraag, nog één ding`),
  refusals: phrases(`
    niet, niets, niks, geen, nooit, nee, maar, fout, verkeerd, verkeerde, ander, andere, anders,
    liever, opnieuw, nog een keer, nog eens, herhaal, herhalen, volgende, terug, hulp, help,
    iemand, mens, medewerker, persoon, harder, zachter, sneller, snel, korter, vergeet, verander,
    laat maar, ik wil, ik wou, ik zou, ik heb, ik moet, geef, zeg, kunt u, kun je, kan ik, mijn,
    alstublieft, alsjeblieft, dag, doei, en, of, als, want, omdat`),
  stopStems: phrases(`
    stop, wacht, onderbre, excus, pardon, sorry, luister, annul, genoeg, stil, moment, ogenblik,
    second, minuut, hou, kwalijk`),
  hesitations: phrases('eh, uh, ehm, uhm, euh, um, hm, mm'),
  markers: phrases(
    'nou, nou ja, dus, zeg maar, weet je, weet u, eigenlijk, gewoon, toch, hè, zo van, enfin',
  ),
  timeouts: phrases(`
    even kijken, eens kijken, laat me kijken, laat me even kijken, even denken, laat me denken,
    hoe zeg je dat, hoe zal ik het zeggen, ik bedoel, wacht, wacht even, momentje, een moment,
    een momentje, een ogenblik, nee sorry, sorry nee, nee wacht, of beter, of liever gezegd,
    beter gezegd`),
  openEnders: phrases(`
    en, maar, of, omdat, want, dus, als, dat, die, toen, terwijl, hoewel, totdat, zodat, voordat,
    nadat, de, het, een, mijn, je, jouw, uw, zijn, haar, ons, onze, hun, van, in, op, aan, bij,
    met, zonder, voor, door, om, over, onder, tussen, naar, tot, uit, tegen, te, ik, wij, we, hij,
    zij, ze, ik ben, ik heb, ik wil, ik wou, ik zou, ik moet, kunt u, kun je, kan ik,
    mijn naam is, ik heet, heel, erg, ook, misschien, niet, deze, dit, nummer, is, was`),
  mayClose: phrases(`
    in, op, aan, bij, voor, door, om, over, onder, naar, uit, tegen, van, met, zijn, haar,
    ons, ik, wij, hij, zij, ze, je, dat, die, dit, deze, het, een, ook, misschien, niet, heel,
    erg, is, was, nummer, ik wil`),
  digits: phrases('nul, een, één, twee, drie, vier, vijf, zes, zeven, acht, negen'),
  phoneDigits: 10,
  numbers: phrases(`
    nul, één, twee, drie, vier, vijf, zes, zeven, acht, negen, tien, elf, twaalf, dertien,
    veertien, vijftien, zestien, zeventien, achttien, negentien, twintig, dertig, veertig,
    vijftig, zestig, zeventig, tachtig, negentig, honderd, duizend, miljoen, dubbel, komma, plus,
    streepje`),
  machinePhrases: phrases(`
    laat een bericht achter, spreek een bericht in, spreek uw bericht in, uw bericht inspreken,
    na de toon, na de piep, na de pieptoon, voicemail, antwoordapparaat, is niet bereikbaar,
    niet beschikbaar, kan niet aan de telefoon, u bent verbonden met de voicemail, toets een,
    toets 1, druk op 1`),
  holdPhrases: phrases(`
    blijf aan de lijn, blijft u aan de lijn, een ogenblik geduld, een moment geduld,
    al onze medewerkers, uw gesprek is belangrijk, u wordt zo spoedig mogelijk, hang niet op`),
  greetings: phrases(`
    hallo, hoi, hé, hai, dag, goedemorgen, goedemiddag, goedenavond, goeiemorgen, goeiemiddag, ja,
    ja hallo, met wie, is daar iemand, hoort u mij`),
  shortAnswers: phrases(`
    ja, nee, jawel, klopt, precies, zeker, natuurlijk, oké, ok, goed, prima, graag, ja graag,
    nee dank u, nee bedankt, dank u, bedankt, alstublieft, ja alstublieft, misschien, nooit,
    nog niet, dat is alles, dat was het, niets meer, verder niets, perfect, absoluut, is goed`),
  yesNoStarts: phrases(`
    is, zijn, was, heeft, heb, hebt, hebben, kunt, kan, kun, wilt, wil, zou, zal, mag, moet, bent,
    klopt, gaat, heeft u, komt, past, toch, goed, oké`),
  questionStarts: phrases(`
    wat, waar, wanneer, wie, hoe, waarom, welk, welke, hoeveel, hoelang, is, zijn, heeft, heb,
    kunt, kan, kun, mag, zou, gaat`),
  dictation: {
    phone: phrases(
      'telefoonnummer, mobiele nummer, mobiel nummer, uw nummer, je nummer, terugbellen op',
    ),
    card: phrases('kaartnummer, creditcard, creditcardnummer, rekeningnummer, pasnummer, iban'),
    code: phrases(`
      code, pincode, pin, postcode, bestelnummer, ordernummer, klantnummer, boekingsnummer,
      reserveringsnummer, referentie, referentienummer, polisnummer, burgerservicenummer, bsn,
      dossiernummer`),
    email: phrases('email, e-mail, mailadres, e-mailadres, emailadres'),
    birth: phrases('geboortedatum, geboren'),
    date: phrases('welke datum, welke dag'),
    spelling: phrases('spellen, spel'),
    asking: phrases(`
      wat, welk, welke, kunt, kan, kun, mag, geef, geven, zeg, zeggen, noemen, alstublieft, nodig,
      spellen, herhalen, doorgeven`),
  },
  announcing: phrases(`
    bellen op, bereiken op, bereikbaar op, terugbellen op, bel me, bel mij, mijn nummer,
    het nummer is, mijn mobiel, mijn mobiele nummer, mijn telefoonnummer`),
  emailAt: phrases('at, apenstaartje'),
  emailDot: phrases('punt'),
  months: phrases(`
    januari, februari, maart, april, mei, juni, juli, augustus, september, oktober, november,
    december`),
  takenOver: 'Sorry, de lijn viel even weg.',
  lines: {
    apology: 'Sorry, er ging iets mis aan mijn kant. Kunt u dat herhalen?',
    filler: 'Een ogenblik, alstublieft.',
    notUnderstood: 'Sorry, dat heb ik niet verstaan.',
    technicalFarewell:
      'Sorry, ik heb een technische storing en moet het gesprek beëindigen. Tot ziens.',
    transferring: 'Ik verbind u door. Een ogenblik, alstublieft.',
    stopWaiting: 'Ik probeer nog iemand te bereiken. Zeg stop als u liever niet wacht.',
    callerWaiting: 'Er is een gesprek voor u.',
    callerLeft: 'De beller heeft opgehangen. Tot ziens.',
    voicemail: 'Jammer dat we u niet bereiken. We proberen het later nog eens. Tot ziens.',
    backchannels: ['Mm-hm.', 'Ja.'],
    idle: ['Bent u er nog?', 'Ik ben er nog als u iets nodig hebt.', 'Kunt u mij horen?'],
    acknowledgements: ['Natuurlijk.', 'Oké.', 'Ja, zegt u het maar.'],
  },
};
