import { type LanguageData, phrases } from './language-data.ts';

export const swedish: LanguageData = {
  tag: 'sv',
  backchannels: phrases(`
    ja, ja ja, jaha, jaså, jo, jo då, japp, jajamän, jodå, just det, ja just det, precis, exakt,
    ok, okej, okay, okidoki, bra, vad bra, mycket bra, jättebra, så bra, fint, vad fint, det är bra,
    det låter bra, låter bra, visst, javisst, visst ja, självklart, absolut, förstås, naturligtvis,
    givetvis, såklart, säkert, jag förstår, förstår, jag fattar, jag är med, då är jag med,
    uppfattat, jag hör, jag vet, det vet jag, det stämmer, stämmer, så är det, det är sant, sant,
    aha, ah, å, åh, oj, hm, hmm, mm, mmm, mhm, m-hm, mm-hm, nähä, är det sant, verkligen, på riktigt,
    det menar du inte, inte illa, inga problem, ingen fara, det går bra, går bra, det gör inget,
    tack, tack tack, tack så mycket, tackar, super, perfekt, underbart, fantastiskt, toppen,
    intressant, kul, vad kul, roligt, vad roligt, skönt, vad skönt, härligt, utmärkt, överens,
    då så, då vet jag, bra att veta`),
  stopPhrases: phrases(`
    stopp, stanna, vänta, vänta lite, vänta nu, vänta ett tag, ett ögonblick, ögonblick, en sekund,
    en minut, ett tag, nej, nej nej, nä, förlåt, ursäkta, ursäkta mig, förlåt mig, egentligen,
    lyssna, lyssna nu, hör på, tyst, var tyst, håll tyst, tystnad, det räcker, sluta, lägg av,
    avbryt, hallå, lugn, lugna dig, ta det lugnt, inte så fort, långsammare, får jag, låt mig,
    en fråga, en sak, en sak till, pausa, glöm det, strunt samma`),
  refusals: phrases(`
    inte, inget, ingen, inga, aldrig, nej, men, fel, annan, annat, andra, annars, istället,
    hellre, igen, en gång till, om igen, upprepa, nästa, tillbaka, hjälp, någon, människa, person,
    handläggare, högre, lägre, snabbare, fortare, kortare, glöm, ändra, byt, byta, avsluta, jag vill,
    jag skulle, jag har, jag måste, jag behöver, ge mig, säg, kan du, kan ni, kan jag, skulle du, min,
    mitt, mina, snälla, adjö, hej då, och, eller, om, för att, eftersom`),
  stopStems: phrases(
    'stopp, stann, vänt, avbryt, ursäkt, förlåt, lyssn, tyst, sluta, ögonblick, sekund, paus, räck, tystn',
  ),
  hesitations: phrases('eh, öh, öhm, ehm, äh, ähm, hm, mm, um'),
  markers: phrases('alltså, liksom, typ, asså, ba, vet du, du vet, ju, så att säga, nå, nåja, då'),
  timeouts: phrases(`
    ska vi se, låt mig se, låt mig tänka, få se, vänta, vänta lite, ett ögonblick, en sekund,
    hur säger man, hur ska jag säga, vad heter det, jag menar, nej förlåt, förlåt nej, nej vänta,
    eller snarare, rättare sagt, var var jag`),
  openEnders: phrases(`
    och, men, eller, för, så, att, som, om, när, medan, fast, fastän, eftersom, därför att, innan,
    tills, utan, vars, vilken, vilket, vilka, en, ett, den, det, de, min, mitt, mina, din, ditt, dina,
    sin, sitt, sina, hans, hennes, vår, vårt, våra, er, ert, era, deras, av, i, på, till, från, med,
    vid, hos, under, över, mellan, genom, mot, bland, åt, inom, är, var, jag, vi, du, ni, han, hon,
    jag är, jag har, jag vill, jag skulle, jag skulle vilja, jag måste, jag behöver, kan du, kan ni,
    kan jag, jag heter, mitt namn är, mycket, väldigt, också, kanske, inte, några, någon, nummer,
    numret, numret är, denna, detta, dessa`),
  mayClose: phrases(`
    för, om, i, på, till, från, med, vid, av, under, över, genom, mot, åt, så, som, utan, den, det,
    de, en, ett, hans, hennes, deras, er, vilken, vilket, vilka, är,
    var, jag, vi, du, ni, han, hon, jag är, jag har, jag vill, jag måste, kan du, kan ni, kan jag,
    mycket, också, kanske, inte, några, någon, nummer, numret, denna, detta, dessa`),
  digits: phrases('noll, ett, en, två, tre, fyra, fem, sex, sju, åtta, nio'),
  phoneDigits: 10,
  numbers: phrases(`
    noll, ett, två, tre, fyra, fem, sex, sju, åtta, nio, tio, elva, tolv, tretton, fjorton, femton,
    sexton, sjutton, arton, nitton, tjugo, trettio, fyrtio, femtio, sextio, sjuttio, åttio, nittio,
    hundra, tusen, miljon, dubbel, plus, streck`),
  machinePhrases: phrases(`
    lämna ett meddelande, tala in ett meddelande, efter tonen, efter pipet, efter signalen,
    telefonsvarare, telefonsvararen, röstbrevlåda, mobilsvar, kan inte svara, kan inte ta emot,
    är inte tillgänglig, går inte att nå, tryck ett, tryck 1`),
  holdPhrases: phrases(`
    var god dröj, vänligen dröj, stanna kvar på linjen, vänligen vänta, var vänlig vänta,
    alla våra handläggare, alla handläggare är upptagna, du är placerad i kö, du står i kö,
    ditt samtal är viktigt, lägg inte på`),
  greetings: phrases(`
    hej, hej hej, hejsan, hallå, tjena, god morgon, godmorgon, god dag, goddag, god kväll, ja, ja hej,
    ja hallå, är någon där, är det någon där, hör du mig, hör ni mig`),
  shortAnswers: phrases(`
    ja, nej, jo, japp, nä, jodå, stämmer, det stämmer, precis, exakt, absolut, visst, självklart,
    okej, ok, bra, gärna, ja gärna, ja tack, nej tack, tack, tack så mycket, kanske, aldrig,
    inte än, det är allt, det var allt, inget mer, inget annat, perfekt, det är bra, det går bra`),
  yesNoStarts: phrases(`
    är, var, har, hade, kan, kunde, vill, ska, skulle, får, måste, finns, gäller, passar, stämmer,
    behöver, vet, går, ser, vill du, vill ni, kan du, kan ni, har du, har ni, är det, eller hur,
    okej, bra`),
  questionStarts: phrases(`
    vad, var, när, vem, hur, varför, vilken, vilket, vilka, hur mycket, hur många, är, har, kan, vill,
    ska, skulle, får, finns`),
  dictation: {
    phone: phrases(
      'telefonnummer, mobilnummer, mobilnumret, telefonnumret, ditt nummer, ert nummer, nå dig på',
    ),
    card: phrases('kortnummer, kortnumret, kreditkort, bankkort, kontonummer, iban'),
    code: phrases(`
      kod, koden, pinkod, pin, postnummer, ordernummer, beställningsnummer, bokningsnummer, kundnummer,
      referensnummer, referens, ärendenummer, medlemsnummer, försäkringsnummer, personnummer`),
    email: phrases('email, e-mail, mejl, mejladress, mailadress, e-post, e-postadress, epost'),
    birth: phrases('födelsedatum, född, personnummer'),
    date: phrases('vilket datum, vilken dag'),
    spelling: phrases('stava, bokstavera, stavas'),
    asking: phrases(`
      vad, vilken, vilket, kan, kunde, skulle, får, snälla, tack, ge, säg, säga, uppge, ange, behöver,
      stava, bokstavera, upprepa, läsa`),
  },
  announcing: phrases(`
    ring mig på, ringa mig på, ringa upp på, nå mig på, når mig på, mitt nummer, mitt nummer är,
    numret är, mitt mobilnummer, mitt telefonnummer, min mobil`),
  emailAt: phrases('snabel-a, snabela, at'),
  emailDot: phrases('punkt'),
  months: phrases(`
    januari, februari, mars, april, maj, juni, juli, augusti, september, oktober, november, december`),
  takenOver: 'Förlåt, linjen bröts en kort stund.',
  lines: {
    apology: 'Förlåt, något gick fel hos mig. Kan du säga det igen?',
    filler: 'Ett ögonblick, tack.',
    notUnderstood: 'Förlåt, det uppfattade jag inte.',
    technicalFarewell: 'Förlåt, jag har tekniska problem och måste avsluta samtalet. Hej då.',
    transferring: 'Jag kopplar dig vidare. Ett ögonblick, tack.',
    stopWaiting: 'Jag försöker fortfarande nå någon. Säg stopp om du inte vill vänta.',
    callerWaiting: 'Det finns ett samtal till dig.',
    callerLeft: 'Den som ringde har lagt på. Hej då.',
    voicemail: 'Tråkigt att vi inte fick tag på dig. Vi försöker igen senare. Hej då.',
    backchannels: ['Mm.', 'Ja.'],
    idle: ['Är du kvar?', 'Jag är kvar om du behöver något.', 'Hör du mig?'],
    acknowledgements: ['Självklart.', 'Okej.', 'Ja, säg.'],
  },
};
