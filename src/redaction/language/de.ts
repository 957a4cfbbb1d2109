import { toCardinal } from 'n2words/de-DE';
import { list, type RedactionWords } from './language-words.ts';

export const german: RedactionWords = {
  cardinal: (n) => toCardinal(n),
  otherNumbers: { zwo: '2', ein: '1', eine: '1', hundert: '100' },
  repeats: { doppel: 2, doppelt: 2, zweimal: 2, dreimal: 3 },
  fillers: list(
    'und, dann, ah, ahm, strich, bindestrich, leerzeichen, punkt, nochmal, also, okay, ok',
  ),
  plus: ['plus'],
  magnitudes: list('tausend, million, millionen'),
  units: list(
    'euro, cent, dollar, prozent, minute, minuten, stunde, stunden, tag, tage, tagen, woche, wochen, monat, monate, monaten, jahr, jahre, jahren, kilometer, kilo, personen, mal, grad, punkte, stuck, uhr, eur',
  ),
  countries: ['DE', 'AT', 'CH'],
  cues: {
    'security-code': list('cvv, cvc, prufziffer, sicherheitscode, kartenprufnummer'),
    card: list(
      'karte, kreditkarte, kreditkartennummer, kartennummer, visa, mastercard, debitkarte',
    ),
    'bank-account': list('konto, kontonummer, iban, bank, bankverbindung, bankleitzahl'),
    'identity-number': list(
      'steuer, steuer id, steueridentifikationsnummer, steuernummer, identifikationsnummer, ausweis, ausweisnummer, personalausweis, reisepass, sozialversicherung, sozialversicherungsnummer, rentenversicherungsnummer, versicherungsnummer',
    ),
    phone: list(
      'telefon, telefonnummer, handy, handynummer, mobil, mobilnummer, erreichen, anrufen, zuruckrufen, ruckruf, meine nummer ist, meine nummer lautet, festnetz, rufnummer, whatsapp',
    ),
    other: list(
      'bestellung, bestellnummer, sendung, sendungsnummer, referenz, ticket, ticketnummer, rechnung, rechnungsnummer, bestatigung, buchung, buchungsnummer, vorgang, vorgangsnummer, fall, modell, serie, seriennummer, teil, flug, zimmer, artikel, artikelnummer, durchwahl, code, version, produkt, paket, vertrag, tor, seite, zeile, kostet, kosten, preis, summe, bezahlt, zahlen, kundennummer, auftragsnummer, auftrag',
    ),
  },
  birth: list('geboren, geburtsdatum, geburtstag, geburt'),
  months: list(
    'januar, janner, februar, marz, april, mai, juni, juli, august, september, oktober, november, dezember',
  ),
  datePrepositions: list('der, den, dem, am, und, im'),
  dateNumbers:
    /^(?:(?:ersten?|zweiten?|dritten?|siebten?|achten?|\w+te[nr]?)|(?:(?:null|eins?|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|zwan|drei|sech|sieb|zig|ssig|und|hundert|tausend)+))$/,
  email: {
    at: list('at, at-zeichen, klammeraffe, ät'),
    dot: list('punkt, dot'),
    signs: list('unterstrich, minus, bindestrich, strich, plus'),
    cues: list('email, e-mail, mail, mailadresse, adresse, ist, lautet'),
  },
  nameCues: list(
    'mein name ist, ich heisse, ich bin, hier ist, hier spricht, am apparat, auf den namen, im namen von, mein nachname ist, mein vorname ist, mein nachname lautet, meine frau ist, mein mann ist, mein sohn ist, meine tochter ist, meine frau heisst, mein mann heisst, mein sohn heisst, meine tochter heisst, name ist, name lautet, spreche mit, sprechen mit, er heisst, sie heisst, ich spreche mit',
  ),
  weakNameCues: list('ich bin, hier ist'),
  sureHonorifics: list('herr, herrn, frau'),
  honorifics: list('herr, herrn, frau, doktor, professor, dr, prof'),
  notNames: list(
    'der, die, das, den, dem, des, ein, eine, einen, einem, mein, meine, ihr, ihre, sein, seine, nicht, ja, nein, und, oder, aber, sehr, mehr, noch, schon, nur, auch, gut, schlecht, hier, da, dort, kunde, kundin, neu, neue, neukunde, patient, patientin, ich, du, er, sie, es, wir, ihr, ist, bin, sind, war, sein, haben, habe, hat, interessiert, froh, sicher, unsicher, mir, mich, gerade, leider, hallo, guten, tag, danke, montag, dienstag, mittwoch, donnerstag, freitag, samstag, sonntag, deutsch, allergisch, schwanger, krank, diabetiker, diabetikerin, auf, in, im, an, am, zu, zum, zur, mit, ohne, fur, von, vom, bei, uber, unter, nach, vor, so, wie, was, wer, wann, wo, warum, weil, dass, wenn, einverstanden, zufrieden, unzufrieden, enttauscht, etwas, jemand, alles, nichts, moglich, wichtig, dringend, spat, fruh, besser, jetzt, heute, morgen, gestern, geboren, seit, doktor, inhaber, inhaberin, kontoinhaber',
  ),
  nameParticles: list('von, van, der, zu, zum, de'),
  address: {
    cues: list(
      'ich wohne in der, ich wohne in, ich wohne im, ich wohne am, ich wohne, meine adresse ist, meine adresse lautet, die adresse ist, adresse lautet, anschrift ist, anschrift lautet, liefern an, schicken sie es an',
    ),
    before: list('am, an der, zum, zur, im'),
    after: list('strasse, str, weg, platz, allee, gasse, ring, damm, ufer, chaussee'),
    endings: /\p{L}(?:strasse|str|weg|platz|allee|gasse|ring|damm|ufer|chaussee|steig|berg)$/u,
    within: list(
      'nummer, hausnummer, in, postleitzahl, plz, stock, wohnung, hinterhaus, der, die, den',
    ),
  },
  health: list(
    'diabet*, krebs*, brustkrebs, tumor*, hiv, aids, depress*, angststorung*, schwanger*, fehlgeburt*, abtreibung*, asthma*, chemotherapie, chemo, insulin, epilep*, schizophren*, bipolar*, hepatitis, tuberkul*, herpes, syphilis, arthritis, arthrose, migrane*, schlaganfall*, demenz*, alzheimer, parkinson, multiple sklerose, herzinfarkt*, herzkrank*, bluthochdruck, leukamie, lymphom*, melanom*, biopsie*, dialyse, transplant*, antidepressiv*, antibiotik*, methadon, sucht*, suchtig, alkoholi*, uberdosis, suizid*, selbstmord*, operation, unfruchtbar*, magersucht, bulimi*, autis*, adhs, covid, lungenentzundung, allergi*, lupus, zyste*, fibromyalgie, schilddruse*, anamie, ekzem*, schuppenflechte, osteoporose, endometriose, morbus crohn, zoliakie, schlafstorung*, angina pectoris, thrombose*, herzschrittmacher, hysterektomie, vasektomie, kaiserschnitt',
  ),
};
